import { Cron } from 'croner';
import { PegboardError } from 'pegboard';
import { checkTimezone } from './timezone.ts';

/** When a schedule is due. Moments are milliseconds since 1970. */
export interface Timing {
  /** The first occurrence after this moment; undefined: there is none any more. */
  after(moment: number): number | undefined;
  /** The last occurrence up to this moment, itself included. */
  upTo(moment: number): number | undefined;
  /** Occurrences after `from` and up to `to`, itself included; counted to `most`. */
  count(from: number, to: number): number;
}

/** Beyond this nobody counts. */
const maxRuns = 1_000;

/**
 * A time of day that a change of clocks leaves out is due right after the gap; one that comes twice is due the first
 * time. What repeats by the hour or minute goes by real time: it skips the gap and is due in both of the doubled hours.
 * Throws PEG_INVALID_ARGUMENTS for what can't be read or never happens.
 */
export function cronTiming(expression: string, timezone: string): Timing {
  const cron = parse(expression, timezone);
  const after = (moment: number): number | undefined => cron.nextRun(new Date(moment))?.getTime();
  if (after(Date.UTC(2000, 0)) === undefined) throw invalid(expression, 'it never happens');
  return {
    after,
    // Croner looks at whole seconds: from the next one on, then back.
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
  if (/^\d{4}-/.test(expression)) throw invalid(expression, 'a single moment belongs into run_at');
  try {
    return new Cron(expression, { timezone, paused: true, fixedTimeRule: 'no-wildcard' });
  } catch (cause) {
    throw invalid(expression, (cause as Error).message.replace(/^\w+: /, ''));
  }
}

const invalid = (expression: string, reason: string): PegboardError =>
  new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `"${expression}" is no cron expression: ${reason}. Five fields: minute, hour, day of month, month, day of week. Mondays at 9: "0 9 * * 1".`,
  );
