import { nextOf, stateOf } from '../upcoming.ts';
import type { Schedule } from '../store.ts';

/** As `scheduleItem` describes it. */
export function toScheduleItem(schedule: Schedule, now: number) {
  const { id, kind, text, run_at, cron, timezone, agent, channel, chat } = schedule;
  const state = stateOf(schedule);
  const next_at = nextOf(schedule, now) ?? null;
  return { id, kind, text, state, next_at, run_at, cron, timezone, agent, channel, chat };
}
