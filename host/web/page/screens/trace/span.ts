import type { CallRow } from '../../../wire.ts';

/** The time that bars are drawn in: that of the calls in view. */
export interface Span {
  readonly begin: number;
  readonly length: number;
}

/** When a call ended, or now. */
export const endOf = ({ at, ms, waitedMs = 0, outcome }: CallRow, now: number): number =>
  outcome === undefined ? Math.max(now, at) : at + (ms ?? 0) + waitedMs;

export function spanOf(calls: readonly CallRow[], now: number): Span {
  if (calls.length === 0) return { begin: 0, length: 1 };
  const begin = Math.min(...calls.map(({ at }) => at));
  return { begin, length: Math.max(1, ...calls.map((call) => endOf(call, now) - begin)) };
}

/** Percent of the span. */
export const placeIn = ({ begin, length }: Span, at: number): number =>
  Math.max(0, Math.min(100, ((at - begin) / length) * 100));
