import type { Tokens } from 'marked';
import { decodeEntities } from './entities.ts';

/** Characters of a line in type of one width: wider ones are wrapped on phones, and no column stands under its header. */
const maxWidth = 48;

/**
 * Telegram has no tables: this one is drawn with spaces, for type of one width. Undefined for one that is too wide to be
 * read so.
 */
export function drawTable({ header, rows, align }: Tokens.Table): string | undefined {
  const cells = [header, ...rows].map((row) => row.map(({ text }) => decodeEntities(text)));
  const widths = header.map((_, column) => Math.max(...cells.map((row) => width(row[column] ?? ''))));
  if (widths.reduce((sum, each) => sum + each + 3, -3) > maxWidth) return undefined;
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

const width = (text: string): number => Array.from(text).length;
