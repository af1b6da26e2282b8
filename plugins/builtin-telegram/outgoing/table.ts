import type { Tokens } from 'marked';
import { decodeEntities } from './entities.ts';

/** Maximum characters of a monospaced line. Phones wrap longer ones, which breaks the columns. */
const maxWidth = 48;

/**
 * Draws a table as monospaced text, because Telegram doesn't support tables. Undefined when it is too wide.
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
