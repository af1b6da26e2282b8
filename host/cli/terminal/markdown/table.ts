import type { Tokens } from 'marked';
import { widthOf } from '../width.ts';
import { unpainted, toFlow } from './inline.ts';
import { layOut, longestWord, naturalWidth, type Flow, type PageLayout } from './runs.ts';

const gap = '  ';
/** Columns narrower than this can't be read. */
const minWidth = 6;

/** Aligned columns with wrapped cells, or one entry below the other where columns would get too narrow. */
export function renderMarkdownTable({ header, rows, align }: Tokens.Table, page: PageLayout): string[] {
  const { style } = page;
  const titles = header.map(({ tokens }) => toFlow(tokens, style, style.title));
  const cells = rows.map((row) => row.map(({ tokens }) => toFlow(tokens, style)));
  const widths = columnWidths([titles, ...cells], page.width);
  if (!widths) return renderEntries(titles, cells, page);
  const line = (row: readonly Flow[]): string[] => {
    const columns = widths.map((width, at) => layOut(row[at] ?? [], width));
    const height = Math.max(...columns.map(({ length }) => length));
    return Array.from({ length: height }, (_, nth) =>
      columns
        .map((lines, at) => pad(lines[nth] ?? '', widths[at]!, align[at] ?? 'left'))
        .join(gap)
        .trimEnd(),
    );
  };
  const under = style.quiet(widths.map((width) => '─'.repeat(width)).join(gap));
  return [...line(titles), under, ...cells.flatMap(line)];
}

/** The width of each column, with the wide ones reduced to fit; undefined where some would get too narrow. */
function columnWidths(rows: readonly (readonly Flow[])[], room: number): number[] | undefined {
  const count = rows[0]!.length;
  const ask = (measure: (flow: Flow) => number): number[] =>
    Array.from({ length: count }, (_, at) => Math.max(1, ...rows.map((row) => measure(row[at] ?? []))));
  const natural = ask(naturalWidth);
  const available = room - gap.length * (count - 1);
  if (sum(natural) <= available) return natural;
  const minWidths = ask(longestWord).map((width, at) =>
    Math.min(natural[at]!, Math.max(minWidth, Math.min(width, 20))),
  );
  if (sum(minWidths) > available) return undefined;
  // What is left over the least goes to the columns by how much more they want.
  const wanting = natural.map((width, at) => width - minWidths[at]!);
  const spare = available - sum(minWidths);
  return minWidths.map((width, at) => width + Math.floor((spare * wanting[at]!) / sum(wanting)));
}

function renderEntries(
  titles: readonly Flow[],
  rows: readonly (readonly Flow[])[],
  page: PageLayout,
): string[] {
  const entries = rows.map((row) =>
    row.flatMap((cell, at) =>
      layOut([...(titles[at] ?? []), { text: ': ', paint: unpainted }, ...cell], page.width),
    ),
  );
  return entries.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
}

function pad(text: string, width: number, align: 'left' | 'right' | 'center'): string {
  const free = Math.max(0, width - widthOf(text));
  const before = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0;
  return ' '.repeat(before) + text + ' '.repeat(free - before);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
