import type { Tokens } from 'marked';
import { decodeEntities } from './entities.ts';

/** Telegram has no tables: this one is drawn with spaces, for type of one width. */
export function drawTable({ raw, header, rows, align }: Tokens.Table): string {
  // Markdown has no place for cells beyond the header's; what somebody wrote is shown.
  if (
    raw
      .trim()
      .split('\n')
      .some((line) => cellsIn(line) > header.length)
  )
    return raw.trim();
  const cells = [header, ...rows].map((row) => row.map(({ text }) => decodeEntities(text)));
  const widths = header.map((_, column) => Math.max(...cells.map((row) => width(row[column] ?? ''))));
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => {
        const space = ' '.repeat(Math.max(0, widths[column]! - width(text)));
        return align[column] === 'right' ? space + text : text + space;
      })
      .join(' | ')
      .trimEnd();
  const rule = widths.map((each) => '-'.repeat(each)).join('-+-');
  const [first, ...rest] = cells;
  return [line(first!), rule, ...rest.map(line)].join('\n');
}

const cellsIn = (line: string): number =>
  line
    .trim()
    .replaceAll(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/).length;

const width = (text: string): number => Array.from(text).length;
