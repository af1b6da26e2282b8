import type { Tokens } from 'marked';
import { drawTable } from 'pegboard/channels';
import { decodeEntities } from './entities.ts';

/** Maximum characters of a monospaced line. Phones wrap longer ones, which breaks the columns. */
const maxWidth = 48;

/** Draws a table as monospaced text, because Telegram doesn't support tables. Undefined when it is too wide. */
export function drawnTable({ header, rows, align }: Tokens.Table): string | undefined {
  const texts = (row: readonly Tokens.TableCell[]): readonly string[] =>
    row.map(({ text }) => decodeEntities(text));
  return drawTable({ header: texts(header), rows: rows.map(texts), align }, maxWidth);
}
