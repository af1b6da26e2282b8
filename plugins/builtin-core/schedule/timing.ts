import { Cron } from 'croner';
import { PegboardError } from 'pegboard';
import { checkTimezone } from './timezone.ts';

/** When a schedule is due. Moments are milliseconds since 1970. */
export interface Timing {
  /** The first occurrence after this moment. Undefined if there is none. */
  after(moment: number): number | undefined;
  /** The last occurrence up to and including this moment. */
  upTo(moment: number): number | undefined;
  /** The number of occurrences after `from` up to and including `to`, but at most `most`. */
  count(from: number, to: number): number;
}

/** Occurrences are not counted beyond this. */
const maxRuns = 1_000;

/**
 * A time of day that a clock change skips is due right after the gap. A repeated one is due the first time. Schedules
 * that repeat by the hour or minute follow real time: they skip the gap and are due in both of the doubled hours.
 * Throws PEG_INVALID_ARGUMENTS for an unreadable expression and for one that never matches.
 */
export function cronTiming(expression: string, timezone: string): Timing {
  const cron = parse(expression, timezone);
  const after = (moment: number): number | undefined => cron.nextRun(new Date(moment))?.getTime();
  if (after(Date.UTC(2000, 0)) === undefined) throw invalid(expression, 'it never happens');
  return {
    after,
    // Croner works in whole seconds, so this starts from the next one and goes back.
    upTo: (moment) =>
      cron
        .previousRuns(2, new Date(moment + 1_000))
        .map((date) => date.getTime())
        .find((time) => time <= moment),
    count(from, to) {
      let counted = 0;
      for (let at = after(from); at !== undefined && at <= to && counted < maxRuns; at = after(at)) counted++;
      return counted;
    },
  };
}

export function onceTiming(at: number): Timing {
  return {
    after: (moment) => (at > moment ? at : undefined),
    upTo: (moment) => (at <= moment ? at : undefined),
    count: (from, to) => (at > from && at <= to ? 1 : 0),
  };
}

export function timingOf(schedule: {
  readonly cron: string | null;
  readonly run_at: string | null;
  readonly timezone: string;
}): Timing {
  const { cron, run_at, timezone } = schedule;
  return cron === null ? onceTiming(Date.parse(run_at!)) : cronTiming(cron, timezone);
}

function parse(expression: string, timezone: string): Cron {
  checkTimezone(timezone);
  if (/^\d{4}-/.test(expression)) throw invalid(expression, 'a single time belongs in run_at');
  try {
    return new Cron(expression, { timezone, paused: true, fixedTimeRule: 'no-wildcard' });
  } catch (cause) {
    throw invalid(expression, (cause as Error).message.replace(/^\w+: /, ''));
  }
}

const invalid = (expression: string, reason: string): PegboardError =>
  new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `"${expression}" is not a valid cron expression: ${reason}. Five fields: minute, hour, day of month, month, day of week. Mondays at 9: "0 9 * * 1".`,
  );
