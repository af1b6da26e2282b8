import { Lexer, type Token, type Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { isIntricateMarkdown } from 'pegboard/browser';
import { spelledOut } from './hidden-text.tsx';
import { ForeignLink } from './link.tsx';
import { LongText } from './long-text.tsx';

/** Characters; longer ones are shown as text. */
const maxLength = 100_000;

interface Props {
  readonly text: string;
  /** The level of its first headings. */
  readonly level?: 3 | 4;
}

/**
 * Markdown as elements, never as HTML text: what isn't made here doesn't exist. Raw HTML is shown as it is written.
 * Images from elsewhere are links, because loading one would tell somebody that this was read.
 */
export function Markdown({ text, level = 3 }: Props) {
  const tokens = tokensOf(text);
  if (!tokens) return <LongText text={text} />;
  return (
    <div class="md" dir="auto">
      {blocks(tokens, level)}
    </div>
  );
}

function tokensOf(text: string): readonly Token[] | undefined {
  if (text.length > maxLength || isIntricateMarkdown(text)) return undefined;
  try {
    return new Lexer({ gfm: true }).lex(spelledOut(text));
  } catch {
    return undefined;
  }
}

const blocks = (tokens: readonly Token[], level: number): ComponentChildren =>
  tokens.map((token) => block(token, level));

function block(token: Token, level: number): ComponentChildren {
  switch (token.type) {
    case 'space':
    case 'def':
    case 'checkbox':
      return null;
    case 'heading': {
      // One level for all: the headings of somebody else would leave gaps in ours.
      const Tag = level === 3 ? 'h3' : 'h4';
      return <Tag>{inlines((token as Tokens.Heading).tokens)}</Tag>;
    }
    case 'paragraph':
      return <p>{inlines((token as Tokens.Paragraph).tokens)}</p>;
    case 'text': {
      const { tokens, text } = token as Tokens.Text;
      return tokens ? inlines(tokens) : decode(text);
    }
    case 'code':
      return (
        <pre tabIndex={0} role="region" aria-label="Code">
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      );
    case 'blockquote':
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens, level)}</blockquote>;
    case 'list':
      return list(token as Tokens.List, level);
    case 'table':
      return table(token as Tokens.Table);
    case 'hr':
      return <hr />;
    default:
      // Raw HTML, and what a later version of marked adds.
      return <code>{token.raw}</code>;
  }
}

function list({ ordered, items, start }: Tokens.List, level: number): ComponentChildren {
  const entries = items.map((item) => (
    <li class={item.task ? 'task' : ''}>
      {item.task && <input type="checkbox" disabled checked={item.checked ?? false} aria-label="done" />}
      {blocks(item.tokens, level)}
    </li>
  ));
  return ordered ? <ol start={Number(start) || 1}>{entries}</ol> : <ul>{entries}</ul>;
}

function table({ header, rows }: Tokens.Table): ComponentChildren {
  return (
    <div class="table" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {header.map((cell) =>
              cell.tokens.length === 0 ? <td /> : <th scope="col">{inlines(cell.tokens)}</th>,
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell) => (
                <td>{inlines(cell.tokens)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const inlines = (tokens: readonly Token[] = []): ComponentChildren => tokens.map(inline);

function inline(token: Token): ComponentChildren {
  switch (token.type) {
    case 'text':
    case 'escape':
      return decode((token as Tokens.Text).text);
    case 'strong':
      return <strong>{inlines((token as Tokens.Strong).tokens)}</strong>;
    case 'em':
      return <em>{inlines((token as Tokens.Em).tokens)}</em>;
    case 'del':
      return <del>{inlines((token as Tokens.Del).tokens)}</del>;
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>;
    case 'br':
      return <br />;
    case 'checkbox':
      return null;
    case 'link': {
      const { href, text, tokens } = token as Tokens.Link;
      return (
        <ForeignLink href={href} isShown={text === href}>
          {inlines(tokens)}
        </ForeignLink>
      );
    }
    case 'image': {
      const { href, text } = token as Tokens.Image;
      if (/^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]+$/.test(href))
        return <img src={href} alt={text} />;
      return <ForeignLink href={href}>image{text === '' ? '' : `: ${text}`}</ForeignLink>;
    }
    default:
      return <code>{token.raw}</code>;
  }
}

const entities: { readonly [name: string]: string } = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** The entities that people write. */
const decode = (text: string): string =>
  text.replace(/&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,6}));/g, (whole, name?: string, code?: string) =>
    name === undefined ? (codePoint(Number(code)) ?? whole) : entities[name]!,
  );

const codePoint = (code: number): string | undefined =>
  code > 31 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
