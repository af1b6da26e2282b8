/** A parsed message in Telegram's HTML. The limit of 4,096 applies to `text`. */
export interface ParsedHtml {
  readonly text: string;
  /** The used tags, each with the text inside. */
  readonly entities: readonly { readonly tag: string; readonly text: string }[];
}

/** Telegram's description of the error, without "Bad Request: can't parse entities: ". */
export class HtmlError extends Error {}

const known = new Set(
  'b strong i em u ins s strike del span tg-spoiler a tg-emoji code pre blockquote'.split(' '),
);
const characters: { readonly [name: string]: string } = { lt: '<', gt: '>', amp: '&', quot: '"' };

/**
 * Throws HtmlError for everything that Telegram's parser rejects: unknown and unclosed tags, a bare `<`, a wrong order.
 */
export function parseTelegramHtml(html: string): ParsedHtml {
  const open: { readonly tag: string; readonly from: number }[] = [];
  const entities: { tag: string; text: string }[] = [];
  let text = '';
  for (let at = 0; at < html.length;) {
    const rest = html.slice(at);
    const entity = /^&(?:#(\d+)|#x([\da-f]+)|(lt|gt|amp|quot));/i.exec(rest);
    if (entity) {
      const [, decimal, hex, name] = entity;
      text += name
        ? characters[name.toLowerCase()]!
        : String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex!, 16));
      at += entity[0].length;
      continue;
    }
    if (rest[0] !== '<') {
      text += rest[0];
      at++;
      continue;
    }
    const offset = Buffer.byteLength(html.slice(0, at));
    const end = /^<\/([a-z-]*)\s*>/i.exec(rest);
    if (end) {
      const last = open.pop();
      if (!last) throw new HtmlError(`Unexpected end tag at byte offset ${offset}`);
      const closing = end[1]!.toLowerCase();
      if (closing !== '' && closing !== last.tag) {
        throw new HtmlError(
          `Unmatched end tag at byte offset ${offset}, expected "</${last.tag}>", found "</${closing}>"`,
        );
      }
      entities.push({ tag: last.tag, text: text.slice(last.from) });
      at += end[0].length;
      continue;
    }
    const start = /^<([^\s>]*)((?:\s+[a-z-]+(?:=(?:"[^"]*"|'[^']*'|[^\s>"']+))?)*)\s*>/i.exec(rest);
    if (!start) throw new HtmlError(`Unclosed start tag at byte offset ${offset}`);
    const tag = start[1]!.toLowerCase();
    if (!known.has(tag)) throw new HtmlError(`Unsupported start tag "${start[1]}" at byte offset ${offset}`);
    if (tag === 'span' && !/class=["']?tg-spoiler/.test(start[2]!))
      throw new HtmlError(`Tag "span" must have class "tg-spoiler" at byte offset ${offset}`);
    open.push({ tag, from: text.length });
    at += start[0].length;
  }
  const last = open.at(-1);
  if (last) throw new HtmlError(`Can't find end tag corresponding to start tag "${last.tag}"`);
  return { text, entities };
}

/** Telegram rejects messages with only spaces, format and control characters. */
export const isVisible = (text: string): boolean => /[^\s\p{Cc}\p{Cf}]/u.test(text);
