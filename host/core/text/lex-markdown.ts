import { getDefaults, Lexer, Tokenizer, type Token, type Tokens } from 'marked';
import { readWholeTable } from './whole-table.ts';

class WholeTables extends Tokenizer {
  override table(source: string): Tokens.Table | undefined {
    return readWholeTable(source, (text) => super.table(text));
  }
}

/** The tokens of Markdown; tables have their whole content. `breaks`: a line end within a paragraph is one. */
export const lexMarkdown = (text: string, { breaks = false } = {}): readonly Token[] =>
  new Lexer({ ...getDefaults(), breaks, tokenizer: new WholeTables() }).lex(text);
