import { callMark, type Skeleton } from './skeleton.ts';

/** Marks that open a quotation, with those that may close it. */
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
/** Which mark opens and which closes only what stands beside them tells. */
const twoWay = new Set(['"', "'", '”', '»', '›']);
/** Also apostrophes: one that isn't closed says nothing. */
const apostrophes = new Set(["'", '‘', '‚']);
const anyMark = /["'“”„‘’‚«»‹›「」『』《》〈〉]/g;

/** How a call stands to the quotations of several lines around it; undefined where it stands in none. */
export type Quotation = 'closed' | 'open' | undefined;

/** For each call of the skeleton in order. Quotations that are closed on their line hold no call. */
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

/** The marks that aren't closed, or opened, on their own line. */
function unpaired(
  skeleton: Skeleton,
  opening: string,
  closings: string,
): { readonly at: number; readonly closes: boolean }[] {
  const left: { at: number; closes: boolean }[] = [];
  let lineEnd = -1;
  /** Of this line, those within others behind them. */
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

/** Is one open that began on an earlier line? */
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
