import { matchAt } from './format.ts';

/** Finds the next match of a pattern: its index and the index after it. */
export type Seek = (
  pattern: RegExp,
  from: number,
) => { readonly index: number; readonly end: number } | undefined;

/**
 * For one text. Remembers the last match of each pattern, so that searching from many positions stays linear.
 */
export function createSeek(text: string): Seek {
  const known = new Map<RegExp, { readonly from: number; readonly found: ReturnType<Seek> }>();
  return (pattern, from) => {
    const before = known.get(pattern);
    if (before && before.from <= from && (before.found === undefined || before.found.index >= from))
      return before.found;
    const global = new RegExp(pattern.source, 'g');
    global.lastIndex = from;
    const match = global.exec(text);
    const found = match ? { index: match.index, end: match.index + match[0].length } : undefined;
    known.set(pattern, { from, found });
    return found;
  };
}

/** A piece of text from an opening to a closing mark. */
export interface Span {
  readonly opening: RegExp;
  readonly closing: RegExp;
}

/** Index after the first of `spans` that opens at `at` and is closed. */
export function endOfSpan(spans: readonly Span[], text: string, at: number, seek: Seek): number | undefined {
  for (const { opening, closing } of spans) {
    const opened = matchAt(opening, text, at);
    const closed = opened && seek(closing, at + opened[0].length);
    if (closed) return closed.end;
  }
  return undefined;
}
