import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ToolRow } from '../../../wire.ts';
import { Broken } from '../../parts/broken.tsx';
import { Offline } from '../../parts/offline.tsx';
import { moveByKey, rowId, VirtualList, type RowProps } from '../../parts/virtual-list.tsx';
import { go, path, toolPath } from '../../router.ts';
import { allTools, foundTools, query, rank } from './list-of-tools.ts';
import { ToolPage } from './tool-page.tsx';

const rowHeight = 52;
const listId = 'tools';

/** What is there, and does it work? */
export function ToolsScreen() {
  const chosen = path.value[1] ?? '';
  useEffect(() => allTools.follow(), []);
  return (
    <div class={chosen === '' ? 'split' : 'split chosen'}>
      <div class="side">
        <ToolList chosen={chosen} />
      </div>
      <div key={chosen} class="detail scroll">
        {allTools.value.value && <Offline />}
        {chosen === '' ? (
          <p class="quiet hello">Choose a tool to see what it takes, and to try it.</p>
        ) : (
          <ToolPage id={chosen} />
        )}
      </div>
    </div>
  );
}

function ToolList({ chosen }: { readonly chosen: string }) {
  const cursor = useSignal(-1);
  useEffect(rank, [query.value]);
  const list = foundTools.value;
  const total = allTools.value.value?.tools.length;
  const moves = {
    count: list.length,
    cursor: Math.min(cursor.value, list.length - 1),
    selected: list.findIndex(({ id }) => id === chosen),
    onCursor: (index: number) => (cursor.value = index),
    onOpen: (index: number) => go(toolPath(list[index]!.id)),
  };
  return (
    <>
      <div class="row">
        <h1>Tools</h1>
        <span class="quiet" role="status">
          {total === undefined
            ? ''
            : query.value.trim() === ''
              ? total.toLocaleString()
              : `${list.length.toLocaleString()} of ${total.toLocaleString()}`}
        </span>
      </div>
      <input
        type="search"
        role="combobox"
        list={undefined}
        aria-label="Find a tool"
        aria-controls={listId}
        aria-expanded={list.length > 0}
        aria-autocomplete="list"
        aria-activedescendant={moves.cursor >= 0 ? rowId(listId, moves.cursor) : undefined}
        aria-keyshortcuts="/"
        placeholder="Find a tool  ( / )"
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
      {allTools.problem.value !== undefined && total === undefined && (
        <Broken
          what="The tools could not be read."
          why={allTools.problem.value}
          again={() => void allTools.read()}
        />
      )}
      {total !== undefined && list.length === 0 ? (
        <p class="quiet empty">
          {total === 0
            ? 'No tool yet. A file in spaces/SPACE/agent/tools makes one.'
            : `Nothing fits “${query.value}”. Fewer or other words may.`}
        </p>
      ) : (
        <VirtualList
          {...moves}
          id={listId}
          label="Tools"
          rowHeight={rowHeight}
          row={(index, props) => <Row key={list[index]!.id} tool={list[index]!} props={props} />}
        />
      )}
    </>
  );
}

function Row({
  tool: { id, summary, confirm },
  props,
}: {
  readonly tool: ToolRow;
  readonly props: RowProps;
}) {
  return (
    <a class="item" href={toolPath(id)} {...props}>
      <span class="first">
        <b class="mono">{id}</b>
        {confirm && <small class="tag">asks</small>}
      </span>
      <span class="second">{summary || 'No description'}</span>
    </a>
  );
}
