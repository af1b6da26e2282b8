import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { go } from '../router.ts';
import { Broken } from './broken.tsx';
import { Offline } from './offline.tsx';
import type { Reading } from '../live/reading.ts';
import { moveByKey, rowId, VirtualList, type RowProps } from './virtual-list.tsx';

const rowHeight = 52;

interface Props<T> {
  /** "Tools" */
  readonly title: string;
  /** "Find a tool" */
  readonly find: string;
  readonly query: Signal<string>;
  /** What the list is read from. */
  readonly from: Reading<unknown>;
  /** Undefined until it was read. */
  readonly total: number | undefined;
  readonly rows: readonly T[];
  readonly isChosen: (row: T) => boolean;
  readonly pathOf: (row: T) => string;
  /** What is said when there is nothing at all. */
  readonly empty: string;
  /** Beside the title. */
  readonly action?: ComponentChildren;
  readonly row: (row: T, props: RowProps) => ComponentChildren;
}

/** A list with a field that searches it. */
export function SearchList<T>(props: Props<T>) {
  const { title, find, query, from, total, rows, isChosen, pathOf, empty, action, row } = props;
  const cursor = useSignal(-1);
  const listId = title.toLowerCase();
  const moves = {
    count: rows.length,
    cursor: Math.min(cursor.value, rows.length - 1),
    selected: rows.findIndex(isChosen),
    onCursor: (index: number) => (cursor.value = index),
    onOpen: (index: number) => go(pathOf(rows[index]!)),
  };
  return (
    <>
      <div class="row">
        <h1>{title}</h1>
        <span class="quiet" role="status">
          {total === undefined
            ? ''
            : query.value.trim() === ''
              ? total.toLocaleString()
              : `${rows.length.toLocaleString()} of ${total.toLocaleString()}`}
        </span>
        {action}
      </div>
      <input
        type="search"
        role="combobox"
        list={undefined}
        aria-label={find}
        aria-controls={listId}
        aria-expanded={rows.length > 0}
        aria-autocomplete="list"
        aria-activedescendant={moves.cursor >= 0 ? rowId(listId, moves.cursor) : undefined}
        aria-keyshortcuts="/"
        placeholder={`${find}  ( / )`}
        autocomplete="off"
        spellcheck={false}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value;
          cursor.value = query.value === '' ? -1 : 0;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.blur();
          moveByKey(event, moves);
        }}
      />
      {total === undefined && <Offline knowsNothing />}
      {from.problem.value !== undefined && total === undefined && (
        <Broken
          what={`The ${listId} could not be read.`}
          why={from.problem.value}
          again={() => void from.read()}
        />
      )}
      {total !== undefined && rows.length === 0 ? (
        <p class="quiet empty">
          {total === 0 ? empty : `Nothing fits “${query.value}”. Fewer or other words may.`}
        </p>
      ) : (
        <VirtualList
          {...moves}
          id={listId}
          label={title}
          rowHeight={rowHeight}
          row={(index, props) => row(rows[index]!, props)}
        />
      )}
    </>
  );
}
