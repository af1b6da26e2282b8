import { shownLine } from '../../core/foreign/shown-text.ts';
import type { Style } from './style.ts';
import { truncate, widthOf, wrap } from './width.ts';

export interface Column {
  readonly title: string;
  /** Applied after cutting and padding. */
  readonly paint?: (text: string) => string;
  /** May be cut when the lines are too long; such columns share what room there is. */
  readonly shrinks?: boolean;
  /** For a last column that shrinks: wrapped instead of cut. */
  readonly wraps?: boolean;
  /** Left out first, as a whole, when the lines are too long. */
  readonly optional?: boolean;
  readonly alignRight?: boolean;
}

export interface TableLayout {
  readonly indent?: number;
  /** Columns narrower than this after cutting are left out. Default 8. */
  readonly narrowest?: number;
}

const gap = '  ';

/** Lines of aligned columns that fit the surface. Cells are shown on one line, without colours. */
export function renderTable(
  surface: { readonly width: number; readonly style: Style },
  columns: readonly Column[],
  given: readonly (readonly string[])[],
  { indent = 0, narrowest = 8 }: TableLayout = {},
): string[] {
  const rows = given.map((row) => row.map((cell) => shownLine(cell)));
  const natural = columns.map((column, at) =>
    Math.max(widthOf(column.title), ...rows.map((row) => widthOf(row[at] ?? ''))),
  );
  const widths = fit(columns, natural, surface.width - indent, narrowest);
  const shown = columns.map((_, at) => at).filter((at) => widths[at]! > 0 && rows.some((row) => row[at]));
  const line = (cells: readonly string[], paint: (text: string, at: number) => string): string =>
    `${' '.repeat(indent)}${shown.map((at, nth) => paint(pad(cells[at] ?? '', widths[at]!, columns[at]!, nth === shown.length - 1), at)).join(gap)}`.trimEnd();
  const titles = columns.map(({ title }) => title);
  const head = titles.some((title) => title !== '') ? [line(titles, surface.style.quiet)] : [];
  const body = rows.flatMap((row) => unfold(row, columns, widths));
  return [...head, ...body.map((row) => line(row, (text, at) => columns[at]!.paint?.(text) ?? text))];
}

/** Splits a row into the rows that its wrapped last cell takes. */
function unfold(
  row: readonly string[],
  columns: readonly Column[],
  widths: readonly number[],
): readonly (readonly string[])[] {
  const last = columns.length - 1;
  const width = widths[last]!;
  if (!columns[last]!.wraps || width === 0 || width === Number.POSITIVE_INFINITY) return [row];
  const [first = '', ...others] = wrap(row[last] ?? '', width);
  return [[...row.slice(0, last), first], ...others.map((other) => [...row.slice(0, last).fill(''), other])];
}

function fit(
  columns: readonly Column[],
  natural: readonly number[],
  width: number,
  narrowest: number,
): number[] {
  const widths = [...natural];
  const excess = (): number =>
    widths.reduce((sum, column) => sum + (column > 0 ? column + gap.length : 0), -gap.length) - width;
  const leaveOut = (at: number): void => {
    widths[at] = 0;
  };
  columns.forEach(({ optional }, at) => optional && excess() > 0 && leaveOut(at));
  const shrinking = columns.map((_, at) => at).filter((at) => columns[at]!.shrinks && widths[at]! > 0);
  while (excess() > 0 && shrinking.length > 0) {
    const room = shrinking.reduce((sum, at) => sum + widths[at]!, 0) - excess();
    if (room >= shrinking.length * narrowest) share(widths, shrinking, room);
    else leaveOut(shrinking.pop()!);
  }
  // Nothing is left to shrink: a cut name is better than wrapped lines.
  const widest = widths.indexOf(Math.max(...widths));
  if (excess() > 0) widths[widest] = Math.max(4, widths[widest]! - excess());
  return widths;
}

/** Narrow columns stay as they are; the wide ones share the rest equally. */
function share(widths: number[], columns: readonly number[], room: number): void {
  let left = room;
  const byWidth = columns.toSorted((a, b) => widths[a]! - widths[b]!);
  byWidth.forEach((at, nth) => {
    const width = Math.min(widths[at]!, Math.floor(left / (byWidth.length - nth)));
    widths[at] = width;
    left -= width;
  });
}

function pad(cell: string, width: number, column: Column, isLast: boolean): string {
  const text = truncate(cell, width);
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  if (column.alignRight) return space + text;
  return isLast ? text : text + space;
}
