import type { Tokens } from 'marked';
import { drawTable, isIntricateMarkdown, lexMarkdown } from 'pegboard/kit';

/** Maximum characters of a line of a table: phones wrap longer ones, which breaks the columns. */
const maxWidth = 48;

/** Markdown for services that show it without tables: those become code, or a list if they are too wide. */
export function withDrawnTables(markdown: string): string {
  if (!markdown.includes('|') || isIntricateMarkdown(markdown)) return markdown;
  return lexMarkdown(markdown)
    .map((token) => (token.type === 'table' ? `${drawn(token as Tokens.Table)}\n\n` : token.raw))
    .join('');
}

function drawn({ header, rows, align }: Tokens.Table): string {
  const texts = (row: readonly Tokens.TableCell[]): readonly string[] => row.map(({ text }) => text);
  const cells = { header: texts(header), rows: rows.map(texts), align };
  const table = drawTable(cells, maxWidth);
  if (table !== undefined) return `\`\`\`\n${table}\n\`\`\``;
  if (rows.length === 0) return cells.header.join(', ');
  const named = (row: readonly string[]): string =>
    row.map((cell, column) => `**${cells.header[column]}**: ${cell || '–'}`).join('\n');
  return cells.rows.map(named).join('\n\n');
}
