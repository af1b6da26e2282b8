import { toIso } from './claims.ts';
import type { Schedule } from './store.ts';
import { timingOf } from './timing.ts';

const dayMs = 86_400_000;
/** Runs of one schedule that are listed: one that repeats every minute would hide the others. */
const maxOfOne = 100;

/** "paused" is an active one that waits for somebody. */
export const stateOf = ({ state, paused_at: pausedAt }: Schedule): Schedule['state'] | 'paused' =>
  state === 'active' && pausedAt !== null ? 'paused' : state;

/** When it is due next, in ISO 8601. Undefined when it is not. */
export function nextOf(schedule: Schedule, now: number): string | undefined {
  if (stateOf(schedule) !== 'active') return undefined;
  const next = timingOf(schedule).after(Math.min(now, Date.parse(schedule.handled_until)));
  return next === undefined ? undefined : toIso(next);
}

/** What is due in the days to come. */
export function upcoming(
  schedules: readonly Schedule[],
  now: number,
  days: number,
): readonly { readonly schedule: number; readonly at: string; readonly text: string }[] {
  const end = now + days * dayMs;
  return schedules
    .filter((schedule) => stateOf(schedule) === 'active')
    .flatMap((schedule) => {
      const timing = timingOf(schedule);
      const due: number[] = [];
      for (let at = timing.after(now); at !== undefined && at <= end; at = timing.after(at))
        if (due.push(at) >= maxOfOne) break;
      return due.map((at) => ({ schedule: schedule.id, at: toIso(at), text: schedule.text }));
    })
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
}
