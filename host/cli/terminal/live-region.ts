import { shownBetweenColours } from './safe.ts';
import { clip, widthOf } from './width.ts';
import type { Terminal } from './terminal.ts';

/** The cursor's position, counted from the region's first line and column. */
export interface CursorPosition {
  readonly row: number;
  readonly column: number;
}

/** A line that stays: text, or control sequences that are written as they are, such as a picture. */
export type StayingLine = string | { readonly raw: string };

interface RegionFrame {
  /** Without one the cursor is hidden. */
  readonly cursor?: CursorPosition | undefined;
  /** Lines that stay, above the region. */
  readonly above?: readonly StayingLine[];
}

/** The lines at the bottom of a terminal that are redrawn. What is above stays. */
export interface LiveRegion extends Disposable {
  /** The maximum width of a line, in columns. */
  readonly width: number;
  readonly height: number;
  /** Replaces what the region shows. Lines that don't fit are cut; of too many, the first are left out. */
  draw(lines: readonly string[], picture?: RegionFrame): void;
  /** Writes lines that stay; the region goes below them. */
  commit(lines: readonly StayingLine[]): void;
  /** Until the next `draw` the terminal is as any other program expects it. */
  clear(): void;
}

const hideCursor = '\x1b[?25l';
const showCursor = '\x1b[?25h';
const clearDown = '\x1b[J';
const clearRest = '\x1b[K';

export function openLiveRegion({ err, surroundings: { signals } }: Terminal): LiveRegion {
  let shown: readonly string[] = [];
  let cursor: CursorPosition | undefined;
  let hidden = false;
  const restore = (): void => {
    if (hidden) err.write(showCursor);
    hidden = false;
  };
  signals.on('exit', restore);

  /** One less than there are: terminals differ in what they do after the last column. */
  const width = (): number => Math.max(1, err.width - 1);
  const height = (): number => Math.max(3, (err.stream.rows ?? 24) - 1);

  /** Moves to the start of the region, also after the window got narrower and its lines were wrapped. */
  const toStart = (): string => {
    if (shown.length === 0) return '\r';
    const row = cursor?.row ?? shown.length - 1;
    const above = shown.slice(0, row).reduce((sum, line) => sum + rowsOf(line), 0);
    const within = cursor ? Math.floor(cursor.column / err.width) : rowsOf(shown[row] ?? '') - 1;
    return up(above + within);
  };
  const rowsOf = (line: string): number => Math.max(1, Math.ceil(widthOf(line) / err.width));

  /** One string, so that nothing half-drawn is ever seen. */
  const paint = (
    lines: readonly string[],
    at: CursorPosition | undefined,
    above: readonly StayingLine[],
  ): string => {
    const surplus = Math.max(0, lines.length - height());
    const start = toStart();
    shown = lines.slice(surplus).map((line) => clip(shownBetweenColours(line), width()));
    cursor = at && { row: Math.max(0, at.row - surplus), column: Math.min(at.column, width()) };
    const staying = above.length === 0 ? '' : `${clearDown}${above.map(stayingText).join('\n')}\n`;
    const body = shown.map((line) => `${line}${clearRest}`).join('\n');
    const back = cursor ? `${up(shown.length - 1 - cursor.row)}${right(cursor.column)}${showCursor}` : '';
    const hiding = hidden || shown.length === 0 ? '' : hideCursor;
    if (shown.length > 0) hidden = cursor === undefined;
    return `${hiding}${start}${staying}${body}${clearDown}${back}`;
  };

  return {
    get width() {
      return width();
    },
    get height() {
      return height();
    },
    draw(lines, { cursor: at, above = [] } = {}) {
      const moved = at?.row !== cursor?.row || at?.column !== cursor?.column;
      if (above.length > 0 || moved || !same(lines, shown)) err.write(paint(lines, at, above));
    },
    commit(lines) {
      if (lines.length > 0) err.write(paint(shown, cursor, lines));
    },
    clear() {
      if (shown.length > 0) err.write(paint([], undefined, []));
      restore();
    },
    [Symbol.dispose]() {
      this.clear();
      signals.off('exit', restore);
    },
  };
}

const stayingText = (line: StayingLine): string =>
  typeof line === 'string' ? shownBetweenColours(line) : line.raw;

const up = (rows: number): string => (rows > 0 ? `\r\x1b[${rows}A` : '\r');
const right = (columns: number): string => (columns > 0 ? `\x1b[${columns}C` : '');

function same(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((line, at) => line === others[at]);
}
