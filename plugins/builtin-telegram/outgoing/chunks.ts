import { isVisible, plainOf, type StyleSpan, type StyledText } from './styled-text.ts';

/** Characters of one message, below Telegram's limit of 4,096. */
export const maxChunkLength = 4_000;

/**
 * Splits a text into chunks of at most `limit` UTF-16 units, of which there are never fewer than Telegram counts. Splits
 * between paragraphs, else lines, sentences or words. Formatting continues in the next chunk.
 */
export function toChunks(text: StyledText, limit = maxChunkLength): readonly StyledText[] {
  const chunks: StyledText[] = [];
  let rest = text;
  for (let plain = plainOf(rest); plain.length > limit; plain = plainOf(rest)) {
    const at = splitPosition(plain, limit);
    const [chunk, after] = splitAt(rest, at);
    if (isVisible(plainOf(chunk))) chunks.push(chunk);
    rest = withoutLeadingSpace(after);
  }
  if (isVisible(plainOf(rest))) chunks.push(rest);
  return chunks;
}

/** From the best place to the worst. Places in the first half of the limit are not used. */
const places = [/\n\n/g, /\n/g, /[.!?…]["')\]]?\s/g, /\s/g];

function splitPosition(plain: string, limit: number): number {
  const head = plain.slice(0, limit + 1);
  for (const place of places) {
    const last = lastEnd(head, place, limit);
    if (last > limit / 2) return last;
  }
  // A single long word: don't split a surrogate pair.
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

/** Removes line ends at the beginning and keeps the indentation of code. */
function withoutLeadingSpace(spans: readonly StyleSpan[]): StyledText {
  for (const [at, span] of spans.entries()) {
    const text = span.text.replace(/^(?:[ \t]*\n)+/, '');
    if (text !== '') return [{ ...span, text }, ...spans.slice(at + 1)];
  }
  return [];
}
