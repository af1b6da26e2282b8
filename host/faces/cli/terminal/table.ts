import type { Surface } from './terminal.ts';
import { truncate, widthOf } from './width.ts';

export interface Column {
  readonly title: string;
  /** Applied after cutting and padding. */
  readonly paint?: (text: string) => string;
  /** May be cut when the line is too long; the last such column is cut first. */
  readonly shrinks?: boolean;
  readonly alignRight?: boolean;
}

export interface TableLayout {
  readonly indent?: number;
  /** Columns narrower than this after cutting are left out. Default 8. */
  readonly narrowest?: number;
}

const gap = '  ';

/** Lines of aligned columns that fit the surface. Cells hold no colours and no line breaks. */
export function renderTable(
  surface: Pick<Surface, 'width' | 'style'>,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { indent = 0, narrowest = 8 }: TableLayout = {},
): string[] {
  const natural = columns.map((column, at) =>
    Math.max(widthOf(column.title), ...rows.map((row) => widthOf(row[at] ?? ''))),
  );
  const widths = fit(columns, natural, surface.width - indent, narrowest);
  const shown = columns.map((_, at) => at).filter((at) => widths[at]! > 0 && rows.some((row) => row[at]));
  const line = (cells: readonly string[], paint: (text: string, at: number) => string): string =>
    `${' '.repeat(indent)}${shown.map((at, nth) => paint(pad(cells[at] ?? '', widths[at]!, columns[at]!, nth === shown.length - 1), at)).join(gap)}`.trimEnd();
  const titles = columns.map(({ title }) => title);
  const head = titles.some((title) => title !== '') ? [line(titles, surface.style.quiet)] : [];
  return [...head, ...rows.map((row) => line(row, (text, at) => columns[at]!.paint?.(text) ?? text))];
}

function fit(
  columns: readonly Column[],
  natural: readonly number[],
  width: number,
  narrowest: number,
): number[] {
  const widths = [...natural];
  const total = (): number =>
    widths.reduce((sum, column) => sum + (column > 0 ? column + gap.length : 0), -gap.length);
  for (let at = columns.length - 1; at >= 0 && total() > width; at--) {
    if (!columns[at]!.shrinks) continue;
    const left = widths[at]! - (total() - width);
    widths[at] = left >= narrowest ? left : 0;
    // Leaving it out may have made more room than was needed: a little of it is better than nothing.
    if (widths[at] === 0 && width - total() - gap.length >= narrowest)
      widths[at] = width - total() - gap.length;
  }
  return widths;
}

function pad(cell: string, width: number, column: Column, isLast: boolean): string {
  const text = truncate(cell, width);
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  if (column.alignRight) return space + text;
  return isLast ? text : text + space;
}
