import type { Token, Tokens } from 'marked';
import type { ProseStyle } from '../style.ts';
import type { Flow, TextRun } from './runs.ts';

type Paint = TextRun['paint'];

/** The content of a paragraph, heading or cell. */
export function toFlow(
  tokens: readonly Token[] | undefined,
  style: ProseStyle,
  paint: Paint = unpainted,
): Flow {
  return (tokens ?? []).flatMap((token): Flow => flowOf(token, style, paint));
}

export const unpainted: Paint = (text) => text;

function flowOf(token: Token, style: ProseStyle, paint: Paint): Flow {
  const inside = (also: Paint): Flow => toFlow(childrenOf(token), style, over(paint, also));
  switch (token.type) {
    case 'strong':
      return inside(style.title);
    case 'em':
      return inside(style.emphasis);
    case 'del':
      return inside(style.struck);
    case 'codespan':
      return [{ text: oneSpace(token.text as string), paint: over(paint, style.name) }];
    case 'br':
      return ['break'];
    case 'link':
      return linkOf(token as Tokens.Link, style, paint);
    case 'image':
      return [
        { text: `[${(token.text as string) || 'image'}] `, paint },
        { text: token.href as string, paint: over(paint, style.quiet) },
      ];
    case 'checkbox':
      return [{ text: token.checked ? '☑ ' : '☐ ', paint }];
    case 'text':
      return childrenOf(token)
        ? inside(unpainted)
        : [{ text: decoded(oneSpace(token.text as string)), paint }];
    case 'html':
      return /^<br\s*\/?>$/i.test(token.raw) ? ['break'] : [{ text: oneSpace(token.raw), paint }];
    default:
      return [{ text: decoded(oneSpace(textOf(token))), paint }];
  }
}

/** The URL follows a text that doesn't show it: the target of a link must be visible. */
function linkOf({ href, text, tokens }: Tokens.Link, style: ProseStyle, paint: Paint): Flow {
  const label = toFlow(tokens, style, over(paint, style.link));
  if (text === href || `mailto:${text}` === href) return label;
  return [...label, { text: ` (${href})`, paint: over(paint, style.quiet) }];
}

function over(outer: Paint, inner: Paint): Paint {
  if (outer === unpainted) return inner;
  return inner === unpainted ? outer : (text) => outer(inner(text));
}

export const childrenOf = (token: Token): readonly Token[] | undefined =>
  'tokens' in token ? token.tokens : undefined;

const textOf = (token: Token): string => ('text' in token ? String(token.text) : token.raw);
const oneSpace = (text: string): string => text.replace(/[\t\n]+/g, ' ');

const entities: { readonly [name: string]: string } = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': '\u00a0',
};

const decoded = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity]!);
