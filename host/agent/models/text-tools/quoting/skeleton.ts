/**
 * A reply reduced to what determines the position of its calls: the text around them, with one character for each call,
 * for each shown piece (a code block, the text of a quoted line), and for the start of made-up results.
 */
export type Skeleton = string;

/** Private use characters; in the reply itself they are replaced. */
export const callMark = '\uE000';
export const shownMark = '\uE001';
export const madeUpMark = '\uE002';

/** A piece of a reply: index of its first character, and of the one after its last. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** `shown` and `calls` are in order. */
export function toSkeleton(
  text: string,
  {
    pieces,
    shown,
    calls,
    madeUpFrom,
  }: {
    /** What is neither a call, nor a thought or a token. */
    readonly pieces: readonly Range[];
    readonly shown: readonly Range[];
    /** `pieces`: number of pieces before the call. */
    readonly calls: readonly { readonly pieces: number }[];
    readonly madeUpFrom: number;
  },
): Skeleton {
  const parts: string[] = [];
  let next = 0;
  let call = 0;
  for (const [index, { from, to }] of pieces.entries()) {
    for (; calls[call]?.pieces === index; call++) parts.push(callMark);
    let at = from;
    for (; next < shown.length && shown[next]!.to <= to; next++) {
      if (shown[next]!.from < at) continue;
      parts.push(
        plain(text.slice(at, shown[next]!.from)),
        markOf(text.slice(shown[next]!.from, shown[next]!.to)),
      );
      at = shown[next]!.to;
    }
    parts.push(plain(text.slice(at, to)));
  }
  for (; call < calls.length; call++) parts.push(callMark);
  if (madeUpFrom < text.length) parts.push(madeUpMark, plain(text.slice(madeUpFrom)));
  return parts.join('');
}

/** Keeps the indent, and the mark of a quotation. */
function markOf(piece: string): string {
  const lead = /^[ \t]*(?:>[> \t]*)?/.exec(piece)![0];
  return lead.length < piece.length ? lead + shownMark : lead;
}

const plain = (text: string): string => text.replaceAll(/[\uE000-\uE002]/g, ' ');
