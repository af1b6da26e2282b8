import type { CallRow } from '../../../wire.ts';

/** A time in which calls ran, and where in the picture it begins. */
interface Busy {
  readonly begin: number;
  readonly end: number;
  readonly offset: number;
}

/** The time that bars are drawn in: that of the calls in view, with the times between them shortened. */
export interface Span {
  readonly busy: readonly Busy[];
  readonly length: number;
}

/** How much of the busy time a quiet time is drawn as, at most. Drawn in full, a night would leave dots of a day. */
const maxQuiet = 0.06;

/** When a call ended, or now. */
export const endOf = ({ at, ms, waitedMs = 0, outcome }: CallRow, now: number): number =>
  outcome === undefined ? Math.max(now, at) : at + (ms ?? 0) + waitedMs;

export function spanOf(calls: readonly CallRow[], now: number): Span {
  const ordered = calls.map((call) => ({ begin: call.at, end: endOf(call, now) + 1 }));
  ordered.sort((a, b) => a.begin - b.begin);
  const times: { readonly begin: number; end: number }[] = [];
  for (const { begin, end } of ordered) {
    const last = times.at(-1);
    if (last && begin <= last.end) last.end = Math.max(last.end, end);
    else times.push({ begin, end });
  }
  const total = times.reduce((sum, { begin, end }) => sum + end - begin, 0);
  const busy: Busy[] = [];
  let offset = 0;
  let before: number | undefined;
  for (const { begin, end } of times) {
    if (before !== undefined) offset += Math.min(begin - before, total * maxQuiet);
    busy.push({ begin, end, offset });
    offset += end - begin;
    before = end;
  }
  return { busy, length: Math.max(1, offset) };
}

/** Percent of the span. */
export function placeIn({ busy, length }: Span, at: number): number {
  const time = busy.findLast(({ begin }) => begin <= at);
  if (!time) return 0;
  return ((time.offset + Math.min(at, time.end) - time.begin) / length) * 100;
}
