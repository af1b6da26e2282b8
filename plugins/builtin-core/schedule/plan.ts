import type { CatchUp } from './tables.ts';
import type { Timing } from './timing.ts';

/** Milliseconds of delay within which an occurrence is on time: two rounds of the loop. */
const graceMs = 60_000;
/** Under `all`, occurrences that were missed more than a week ago are replaced by one run. */
const maxAheadMs = 7 * 86_400_000;

/** What to do next about a schedule. */
export interface Occurrence {
  readonly due: number;
  /** False: it is only recorded. */
  readonly runs: boolean;
  /** Number of missed occurrences that it replaces. */
  readonly missed: number;
  /** Somebody asked for it: the plan stays as it is. */
  readonly isAsked?: boolean;
}

/** The next occurrence to claim, undefined when none is due; all are milliseconds since 1970. */
export function nextOccurrence(
  timing: Timing,
  {
    handledUntil,
    now,
    catchUp,
  }: { readonly handledUntil: number; readonly now: number; readonly catchUp: CatchUp },
): Occurrence | undefined {
  const first = timing.after(handledUntil);
  if (first === undefined || first > now) return undefined;
  if (catchUp === 'all') {
    const due = timing.after(Math.max(handledUntil, now - maxAheadMs));
    if (due !== undefined && due <= now) return { due, runs: true, missed: 0 };
  }
  const due = timing.upTo(now)!;
  const missed = due === first ? 0 : timing.count(handledUntil, now) - 1;
  return { due, runs: catchUp !== 'skip' || now - due <= graceMs, missed };
}
