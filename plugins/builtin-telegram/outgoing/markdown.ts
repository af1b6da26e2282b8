import { isIntricateMarkdown, readWholeTable } from 'pegboard/channels';
import { getDefaults, Lexer, Tokenizer, type Token, type Tokens } from 'marked';
import { escapeHtml, type Mark, type StyleSpan, type StyledText } from './styled-text.ts';
import { decodeEntities } from './entities.ts';
import { drawnTable } from './table.ts';

const tag = (name: string, attributes = ''): Mark => ({
  open: `<${name}${attributes}>`,
  close: `</${name}>`,
});
class WholeTables extends Tokenizer {
  override table(source: string): Tokens.Table | undefined {
    return readWholeTable(source, (text) => super.table(text));
  }
}
const lex = (text: string): readonly Token[] =>
  new Lexer({ ...getDefaults(), tokenizer: new WholeTables() }).lex(text);
/** Telegram doesn't support formatting inside code, or nested quotations. */
const isCode = ({ open }: Mark): boolean => open === '<code>' || open.startsWith('<pre>');
const isQuote = ({ open }: Mark): boolean => open === '<blockquote>';

/**
 * Converts Markdown to the formatting that Telegram supports: headings become bold, lists get bullets, tables are drawn
 * as text or, if too wide, listed row by row, and HTML is shown as source. Never throws; invalid Markdown is plain text.
 */
export function readMarkdown(markdown: string): StyledText {
  // Telegram takes whole characters only.
  const text = markdown.toWellFormed();
  const spans: StyleSpan[] = [];
  if (isIntricateMarkdown(text)) spans.push({ text, marks: [] });
  else blocks(lex(text), [], spans);
  return trimmed(spans);
}

function blocks(tokens: readonly Token[], marks: readonly Mark[], out: StyleSpan[], indent = ''): void {
  let first = true;
  for (const token of tokens) {
    if (token.type === 'space' || token.type === 'def') continue;
    if (!first) out.push({ text: `\n\n${indent}`, marks: outside(marks) });
    first = false;
    block(token, marks, out, indent);
  }
}

/** The marks of the text between paragraphs: only the enclosing quotation. */
const outside = (marks: readonly Mark[]): readonly Mark[] => marks.filter(isQuote);

function block(token: Token, marks: readonly Mark[], out: StyleSpan[], indent: string): void {
  switch (token.type) {
    case 'heading':
      return inline((token as Tokens.Heading).tokens, [...marks, tag('b')], out);
    case 'code':
      return void out.push(codeOf(token as Tokens.Code, marks));
    case 'blockquote': {
      const quote = marks.some(isQuote) ? [] : [tag('blockquote')];
      return blocks((token as Tokens.Blockquote).tokens, [...marks, ...quote], out, indent);
    }
    case 'list':
      return list(token as Tokens.List, marks, out, indent);
    case 'table': {
      const drawn = drawnTable(token as Tokens.Table);
      if (drawn === undefined) return rowsOf(token as Tokens.Table, marks, out, indent);
      return void out.push({ text: drawn, marks: [...marks, tag('pre')] });
    }
    case 'hr':
      return void out.push({ text: '———', marks });
    case 'html':
      return void out.push({ text: token.raw.trimEnd(), marks });
    case 'paragraph':
    case 'text':
      return inline((token as Tokens.Paragraph).tokens ?? [token], marks, out);
    default:
      return void out.push({ text: token.raw.trim(), marks });
  }
}

function codeOf({ raw, text, lang = '' }: Tokens.Code, marks: readonly Mark[]): StyleSpan {
  if (text === '') return { text: raw.trim(), marks };
  const [language = ''] = lang.split(/\s/);
  if (language === '') return { text, marks: [...marks, tag('pre')] };
  // Not a language name: the fence was meant as a line of text.
  if (!/^[\w+#.-]+$/.test(language)) return { text: `${lang}\n${text}`, marks: [...marks, tag('pre')] };
  const open = `<pre><code class="language-${language}">`;
  return { text, marks: [...marks, { open, close: '</code></pre>' }] };
}

/** A table that is too wide to be drawn: each row as lines of "Header: value". */
function rowsOf(
  { header, rows }: Tokens.Table,
  marks: readonly Mark[],
  out: StyleSpan[],
  indent: string,
): void {
  // A table without rows has only its header.
  for (const [index, row] of (rows.length > 0 ? rows : [header]).entries()) {
    if (index > 0) out.push({ text: `\n\n${indent}`, marks: outside(marks) });
    for (const [column, { text, tokens }] of row.entries()) {
      if (column > 0) out.push({ text: `\n${indent}`, marks: outside(marks) });
      const name = rows.length > 0 ? header[column] : undefined;
      if (name && name.text.trim() !== '') {
        inline(name.tokens, [...marks, tag('b')], out);
        out.push({ text: ': ', marks });
      }
      if (text.trim() === '') out.push({ text: '–', marks });
      else inline(tokens, marks, out);
    }
  }
}

function list(
  { items, ordered, start }: Tokens.List,
  marks: readonly Mark[],
  out: StyleSpan[],
  indent: string,
): void {
  for (const [index, item] of items.entries()) {
    if (index > 0) out.push({ text: `\n${indent}`, marks: outside(marks) });
    const box = item.task ? (item.checked ? '☑ ' : '☐ ') : undefined;
    out.push({ text: box ?? (ordered ? `${Number(start) + index}. ` : '• '), marks });
    const inner = `${indent}   `;
    let first = true;
    for (const token of item.tokens) {
      if (token.type === 'space' || token.type === 'checkbox') continue;
      if (!first) out.push({ text: `\n${inner}`, marks: outside(marks) });
      first = false;
      block(token, marks, out, inner);
    }
  }
}

function inline(tokens: readonly Token[], marks: readonly Mark[], out: StyleSpan[]): void {
  for (const token of tokens) {
    const nested = (mark: Mark): void => inline((token as Tokens.Strong).tokens, [...marks, mark], out);
    switch (token.type) {
      case 'strong':
        nested(tag('b'));
        break;
      case 'em':
        nested(tag('i'));
        break;
      case 'del':
        nested(tag('s'));
        break;
      case 'codespan':
        out.push({ text: (token as Tokens.Codespan).text, marks: [...marks, tag('code')] });
        break;
      case 'br':
        out.push({ text: '\n', marks });
        break;
      case 'link': {
        const { href } = token as Tokens.Link;
        if (canBeLinked(href)) nested(tag('a', ` href="${escapeHtml(href)}"`));
        else {
          inline((token as Tokens.Link).tokens, marks, out);
          if (href !== '') out.push({ text: ` (${href})`, marks });
        }
        break;
      }
      case 'image': {
        const { href, text } = token as Tokens.Image;
        const label = decodeEntities(text) || href;
        const link = canBeLinked(href) ? [tag('a', ` href="${escapeHtml(href)}"`)] : [];
        out.push({ text: label, marks: [...marks, ...link] });
        break;
      }
      case 'escape':
        out.push({ text: (token as Tokens.Escape).text, marks });
        break;
      case 'text':
        if ('tokens' in token && token.tokens) inline(token.tokens, marks, out);
        else out.push({ text: decodeEntities((token as Tokens.Text).text), marks });
        break;
      default:
        out.push({ text: token.raw, marks });
    }
  }
}

/** Telegram shows links with other schemes as text. */
const canBeLinked = (href: string): boolean => /^(https?|tg|mailto|tel):/i.test(href);

/** Removes surrounding space and empty spans. */
function trimmed(spans: readonly StyleSpan[]): StyledText {
  const kept = spans.filter(({ text }) => text !== '');
  const blank = ({ text, marks }: StyleSpan): boolean => text.trim() === '' && !marks.some(isCode);
  while (kept.length > 0 && blank(kept[0]!)) kept.shift();
  while (kept.length > 0 && blank(kept.at(-1)!)) kept.pop();
  return kept;
}
