import { showMoment } from './moment.ts';
import type { ScheduleRun, Schedule } from './store.ts';
import { timingOf } from './timing.ts';

/** "Schedule 3, Mon, 4 May 2026, 09:00, then by "0 9 * * 1" (Europe/Berlin), to telegram 123: Water the plants" */
export function describeSchedule(schedule: Schedule, now: number): string {
  const { id, kind, text, channel, chat, agent } = schedule;
  const what = kind === 'message' ? 'Reminder' : 'Schedule';
  const to = channel === null ? '' : `, to ${channel} ${chat}`;
  const who = agent === null ? '' : `, by ${agent}`;
  return `${what} ${id}: ${whenOf(schedule, now)}${who}${to}: ${text}`;
}

/** When it is due next, and by which rule. */
export function whenOf(schedule: Schedule, now: number): string {
  const { cron, timezone, state } = schedule;
  if (state !== 'active') return state;
  const next = timingOf(schedule).after(Math.min(now, Date.parse(schedule.handled_until)));
  const when = next === undefined ? 'never again' : `${showMoment(next, timezone)} (${timezone})`;
  return cron === null ? when : `${cron}, next ${when}`;
}

/** "delivered", "kept", "not delivered: …" */
export function deliveryOf({ delivery, delivery_error: error, reply }: ScheduleRun): string {
  switch (delivery) {
    case 'none':
      return reply === null ? '' : 'kept';
    case 'pending':
      return 'being sent';
    case 'delivered':
      return 'delivered';
    case 'failed':
      return `not delivered: ${error ?? 'unknown reason'}`;
  }
}
