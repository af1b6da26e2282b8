import { isVisible, plainOf, type StyleSpan, type StyledText } from './styled-text.ts';

/** Characters of one message, below Telegram's limit of 4,096. */
export const maxChunkLength = 4_000;

/**
 * Pieces of at most `limit` characters (UTF-16 units, which are never fewer than Telegram counts), cut between
 * paragraphs, else lines, sentences, words. Formatting goes on in the next piece.
 */
export function toChunks(text: StyledText, limit = maxChunkLength): readonly StyledText[] {
  const chunks: StyledText[] = [];
  let rest = text;
  for (let plain = plainOf(rest); plain.length > limit; plain = plainOf(rest)) {
    const at = whereToCut(plain, limit);
    const [chunk, after] = splitAt(rest, at);
    if (isVisible(plainOf(chunk))) chunks.push(chunk);
    rest = withoutLeadingSpace(after);
  }
  if (isVisible(plainOf(rest))) chunks.push(rest);
  return chunks;
}

/** From the best place to the worst; a place in the first half would leave too little in the message. */
const places = [/\n\n/g, /\n/g, /[.!?…]["')\]]?\s/g, /\s/g];

function whereToCut(plain: string, limit: number): number {
  const head = plain.slice(0, limit + 1);
  for (const place of places) {
    const last = lastEnd(head, place, limit);
    if (last > limit / 2) return last;
  }
  // Nothing but one long word: not in the middle of a character.
  const code = plain.charCodeAt(limit - 1);
  return code >= 0xd8_00 && code <= 0xdb_ff ? limit - 1 : limit;
}

function lastEnd(head: string, place: RegExp, limit: number): number {
  let last = 0;
  for (const match of head.matchAll(place)) {
    const end = match.index + match[0].length;
    if (end <= limit) last = end;
  }
  return last;
}

function splitAt(text: StyledText, at: number): readonly [StyleSpan[], StyleSpan[]] {
  const before: StyleSpan[] = [];
  const after: StyleSpan[] = [];
  let position = 0;
  for (const span of text) {
    const cut = Math.max(0, Math.min(span.text.length, at - position));
    position += span.text.length;
    if (cut > 0) before.push({ ...span, text: span.text.slice(0, cut) });
    if (cut < span.text.length) after.push({ ...span, text: span.text.slice(cut) });
  }
  return [before, after];
}

/** Line ends at which it was cut. Indentation of code stays. */
function withoutLeadingSpace(spans: readonly StyleSpan[]): StyledText {
  for (const [at, span] of spans.entries()) {
    const text = span.text.replace(/^(?:[ \t]*\n)+/, '');
    if (text !== '') return [{ ...span, text }, ...spans.slice(at + 1)];
  }
  return [];
}
