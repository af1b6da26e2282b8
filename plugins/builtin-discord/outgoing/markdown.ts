import type { StyledMessage } from 'pegboard';
import { drawTable, isIntricateMarkdown, readWholeTable, splitMarkdown } from 'pegboard/channels';
import { getDefaults, Lexer, Tokenizer, type Tokens } from 'marked';

/** Discord takes 2,000 characters, and the end of an unfinished answer needs two. */
const maxLength = 1_990;
/** Maximum characters of a line of a table: phones wrap longer ones, which breaks the columns. */
const maxTableWidth = 48;

class WholeTables extends Tokenizer {
  override table(source: string): Tokens.Table | undefined {
    return readWholeTable(source, (text) => super.table(text));
  }
}

/** Markdown in messages. Discord shows most of it; tables become code, or a list if they are too wide. Never throws. */
export function toMessages(markdown: string): readonly StyledMessage[] {
  const text = markdown.toWellFormed();
  return splitMarkdown(isIntricateMarkdown(text) ? text : withoutTables(text), maxLength).map((one) => ({
    text: one,
  }));
}

function withoutTables(text: string): string {
  if (!text.includes('|')) return text;
  const tokens = new Lexer({ ...getDefaults(), tokenizer: new WholeTables() }).lex(text);
  return tokens
    .map((token) => (token.type === 'table' ? `${tableText(token as Tokens.Table)}\n\n` : token.raw))
    .join('');
}

function tableText({ header, rows, align }: Tokens.Table): string {
  const texts = (row: readonly Tokens.TableCell[]): readonly string[] => row.map(({ text }) => text);
  const cells = { header: texts(header), rows: rows.map(texts), align };
  const drawn = drawTable(cells, maxTableWidth);
  if (drawn !== undefined) return `\`\`\`\n${drawn}\n\`\`\``;
  if (rows.length === 0) return cells.header.join(', ');
  const named = (row: readonly string[]): string =>
    row.map((cell, column) => `**${cells.header[column]}**: ${cell || '–'}`).join('\n');
  return cells.rows.map(named).join('\n\n');
}
