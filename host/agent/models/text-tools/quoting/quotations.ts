import { callMark, type Skeleton } from './skeleton.ts';

/** Opening marks, each with its closing marks. */
const marks: readonly (readonly [opening: string, closings: string])[] = [
  ['"', '"'],
  ["'", "'"],
  ['“', '”'],
  ['„', '“”'],
  ['”', '”'],
  ['‘', '’'],
  ['‚', '‘’'],
  ['«', '»'],
  ['»', '«'],
  ['‹', '›'],
  ['›', '‹'],
  ['「', '」'],
  ['『', '』'],
  ['《', '》'],
  ['〈', '〉'],
];
/** These may open or close, depending on the characters next to them. */
const twoWay = new Set(['"', "'", '”', '»', '›']);
/** Also used as apostrophes: an unclosed one is ignored. */
const apostrophes = new Set(["'", '‘', '‚']);
const anyMark = /["'“”„‘’‚«»‹›「」『』《》〈〉]/g;

/** Whether the multi-line quotation around a call is closed; undefined when there is none. */
export type Quotation = 'closed' | 'open' | undefined;

/** For each call of the skeleton in order. Quotations within one line are ignored. */
export function quotationsOf(skeleton: Skeleton): readonly Quotation[] {
  const calls = [...skeleton.matchAll(new RegExp(callMark, 'g'))].map(({ index }) => index);
  const found: Quotation[] = calls.map(() => undefined);
  for (const [opening, closings] of marks) {
    let openedAt = -1;
    let call = 0;
    for (const { at, closes } of unpaired(skeleton, opening, closings)) {
      if (!closes) {
        if (openedAt < 0) openedAt = at;
        continue;
      }
      if (openedAt < 0) continue;
      while (call < calls.length && calls[call]! < openedAt) call++;
      for (; call < calls.length && calls[call]! < at; call++) found[call] = 'closed';
      openedAt = -1;
    }
    if (openedAt < 0 || apostrophes.has(opening)) continue;
    for (; call < calls.length; call++) if (calls[call]! > openedAt) found[call] ??= 'open';
  }
  return found;
}

/** Marks whose counterpart is not on the same line. */
function unpaired(
  skeleton: Skeleton,
  opening: string,
  closings: string,
): { readonly at: number; readonly closes: boolean }[] {
  const left: { at: number; closes: boolean }[] = [];
  let lineEnd = -1;
  /** Open marks of this line, outermost first. */
  let open: number[] = [];
  const endLine = (): void => {
    if (open.length > 0) left.push({ at: open[0]!, closes: false });
    open = [];
  };
  for (const { index: at } of skeleton.matchAll(anyMark)) {
    const mark = skeleton[at]!;
    if (mark !== opening && !closings.includes(mark)) continue;
    if (at > lineEnd) {
      endLine();
      const found = skeleton.indexOf('\n', at);
      lineEnd = found < 0 ? skeleton.length : found;
    }
    if (closings.includes(mark) && canClose(skeleton, at)) {
      if (open.pop() !== undefined) continue;
      if (mark !== opening || !canOpen(skeleton, at) || isWithin(left)) {
        left.push({ at, closes: true });
        continue;
      }
    }
    if (mark === opening && canOpen(skeleton, at)) open.push(at);
  }
  endLine();
  return left;
}

/** Whether a quotation of an earlier line is open. */
const isWithin = (left: readonly { readonly closes: boolean }[]): boolean => left.at(-1)?.closes === false;

function canOpen(skeleton: Skeleton, at: number): boolean {
  const mark = skeleton[at]!;
  if (!twoWay.has(mark) && !apostrophes.has(mark)) return true;
  const before = skeleton[at - 1] ?? '\n';
  const after = skeleton[at + 1] ?? '\n';
  if (!/[\s:：([{,，]/.test(before)) return false;
  return mark === '"' || mark === "'" ? !/[ \t\d]/.test(after) : !/\s/.test(after);
}

function canClose(skeleton: Skeleton, at: number): boolean {
  if (!twoWay.has(skeleton[at]!) && skeleton[at] !== '’') return true;
  const before = skeleton[at - 1] ?? '\n';
  const after = skeleton[at + 1] ?? '\n';
  return !/[\p{L}\p{N}]/u.test(after) && !/[ \t]/.test(before);
}
