import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows beyond each edge that are made too. */
const spare = 6;

export interface RowProps {
  readonly id: string;
  readonly role: 'option';
  readonly tabIndex: -1;
  readonly 'aria-selected': boolean;
  readonly 'aria-setsize': number;
  readonly 'aria-posinset': number;
  readonly 'data-cursor': boolean;
  readonly style: { readonly top: string; readonly height: string };
}

interface Props {
  readonly label: string;
  readonly count: number;
  /** Pixels of every row. */
  readonly rowHeight: number;
  /** The row that is open; -1 for none. */
  readonly selected: number;
  /** The row that the keys have reached; -1 for none. */
  readonly cursor: number;
  readonly onCursor: (index: number) => void;
  readonly onOpen: (index: number) => void;
  /** The id of the list, for a search field that controls it. */
  readonly id: string;
  /** Stays at its end while it is there. */
  readonly sticksToEnd?: boolean;
  /** Rows that were removed from its beginning so far: what is seen stays in its place. Undefined: it is another list. */
  readonly removed?: number | undefined;
  /** Called with the rows that are seen when they change. */
  readonly onSeen?: (first: number, end: number) => void;
  readonly row: (index: number, props: RowProps) => ComponentChildren;
}

export const rowId = (list: string, index: number): string => `${list}-${index}`;

/** A list of any length, of which only the rows that are seen exist. */
export function VirtualList(props: Props) {
  const { label, count, rowHeight, selected, cursor, id, sticksToEnd = false, removed, row, onSeen } = props;
  const box = useRef<HTMLDivElement>(null);
  const help = useId();
  const [view, setView] = useState({ top: 0, height: 600 });
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const at = box.current!;
    const look = (): void => {
      isAtEnd.current = at.scrollTop + at.clientHeight >= at.scrollHeight - rowHeight;
      setView({ top: at.scrollTop, height: at.clientHeight });
    };
    const observer = new ResizeObserver(() => {
      if (sticksToEnd && isAtEnd.current) at.scrollTop = at.scrollHeight;
      look();
    });
    observer.observe(at);
    at.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      at.removeEventListener('scroll', look);
    };
  }, [rowHeight, sticksToEnd]);
  const before = useRef(removed);
  useLayoutEffect(() => {
    const at = box.current!;
    if (sticksToEnd && isAtEnd.current) at.scrollTop = at.scrollHeight;
    else if (removed !== undefined && before.current !== undefined && removed > before.current)
      at.scrollTop -= (removed - before.current) * rowHeight;
    before.current = removed;
  }, [count, removed, sticksToEnd]);
  useLayoutEffect(() => {
    const at = box.current!;
    if (cursor < 0) return;
    const top = cursor * rowHeight;
    if (top < at.scrollTop) at.scrollTop = top;
    else if (top + rowHeight > at.scrollTop + at.clientHeight)
      at.scrollTop = top + rowHeight - at.clientHeight;
  }, [cursor, rowHeight]);
  const seenFirst = Math.max(0, Math.floor(view.top / rowHeight));
  const seenEnd = Math.min(count, Math.ceil((view.top + view.height) / rowHeight));
  useLayoutEffect(() => onSeen?.(seenFirst, seenEnd), [seenFirst, seenEnd]);
  const first = Math.max(0, Math.min(seenFirst, count) - spare);
  const last = Math.min(count, seenEnd + spare);
  return (
    <div
      ref={box}
      id={id}
      class="list"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-describedby={help}
      aria-activedescendant={cursor >= first && cursor < last ? rowId(id, cursor) : undefined}
      onKeyDown={(event) => moveByKey(event, props)}
    >
      <div class="space" role="presentation" style={{ height: `${count * rowHeight}px` }}>
        {Array.from({ length: Math.max(0, last - first) }, (_, at) => {
          const index = first + at;
          return row(index, {
            id: rowId(id, index),
            role: 'option',
            tabIndex: -1,
            'aria-selected': index === selected,
            'aria-setsize': count,
            'aria-posinset': index + 1,
            'data-cursor': index === cursor,
            style: { top: `${index * rowHeight}px`, height: `${rowHeight}px` },
          });
        })}
      </div>
      <span id={help} hidden>
        Arrow keys move, Enter opens.
      </span>
    </div>
  );
}

type Moves = Pick<Props, 'count' | 'cursor' | 'selected' | 'onCursor' | 'onOpen'>;

const steps: { readonly [key: string]: number } = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

/** What the keys of a list do, in it and in a search field that controls it. */
export function moveByKey(event: KeyboardEvent, { count, cursor, selected, onCursor, onOpen }: Moves): void {
  if (event.ctrlKey || event.metaKey || event.altKey || count === 0) return;
  const isInField = (event.currentTarget as Element).tagName === 'INPUT';
  if (event.key === 'Enter' && cursor >= 0) {
    event.preventDefault();
    return onOpen(cursor);
  }
  const step = steps[event.key];
  const to =
    step !== undefined
      ? (cursor < 0 ? (selected < 0 && step > 0 ? -1 : selected) : cursor) + step
      : isInField
        ? undefined
        : ({ Home: 0, End: count - 1 } as { readonly [key: string]: number })[event.key];
  if (to === undefined) return;
  event.preventDefault();
  onCursor(Math.max(0, Math.min(count - 1, to)));
}
