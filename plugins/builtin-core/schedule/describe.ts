import { showMoment } from './moment.ts';
import type { ScheduleRun, Schedule } from './store.ts';
import { showRule, timingOf } from './timing.ts';

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
  if (schedule.paused_at !== null)
    return `paused (would run: ${cron === null ? `${showMoment(schedule.run_at!, timezone)}, ${timezone}` : showRule(cron)})`;
  const next = timingOf(schedule).after(Math.min(now, Date.parse(schedule.handled_until)));
  const when = next === undefined ? 'never again' : `${showMoment(next, timezone)} (${timezone})`;
  return cron === null ? when : `${showRule(cron)}, next ${when}`;
}

const maxNext = 3;

/** "2 planned; next: Mon, 4 May 2026, 09:00 Water the plants". Undefined when nothing is planned. */
export function whatIsNext(schedules: readonly Schedule[], now: number): string | undefined {
  const due = schedules
    .filter(({ paused_at: pausedAt }) => pausedAt === null)
    .map((schedule) => ({
      schedule,
      at: timingOf(schedule).after(Math.min(now, Date.parse(schedule.handled_until))),
    }))
    .filter((one): one is { schedule: Schedule; at: number } => one.at !== undefined)
    .toSorted((one, other) => one.at - other.at);
  if (due.length === 0) return undefined;
  const shown = due
    .slice(0, maxNext)
    .map(({ schedule: { text, timezone }, at }) => `${showMoment(at, timezone)} ${firstWords(text)}`);
  return `${due.length} planned; next: ${shown.join('; ')}`;
}

const maxTextLength = 40;
const firstWords = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= maxTextLength ? line : `${line.slice(0, maxTextLength - 1)}…`;
};

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
