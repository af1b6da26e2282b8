import { separator } from './is-rule.ts';
import { Cron } from 'croner';
import { asSentence, PegboardError } from 'pegboard';
import { add } from './words/read-phrase.ts';
import { atLocal, checkTimezone } from './timezone.ts';

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

/** Parts of a rule are apart by this. */
/** ISO 8601: from a local time on, again after each such length. */
const repeating = /^R\/(\d{4}-\d\d-\d\dT\d\d:\d\d)\/P(?:([1-9]\d{0,3})([YMWD])|T([1-9]\d{0,4})([HM]))$/;

/**
 * Of one or more cron expressions and repeating intervals, with ";" between: "0 9 * * 1; R/2026-05-12T17:00/P2W". A
 * time of day that a clock change skips is due right after the gap. A repeated one is due the first time. Schedules
 * that repeat by the hour or minute follow real time: they skip the gap and are due in both of the doubled hours.
 * Throws PEG_INVALID_ARGUMENTS for an unreadable rule and for one that never matches.
 */
export function ruleTiming(rule: string, timezone: string): Timing {
  checkTimezone(timezone);
  const parts = rule
    .split(separator)
    .map((part) => (/^R\d*\//.test(part) ? intervalTiming(part, timezone) : cronTiming(part, timezone)));
  const times = (found: readonly (number | undefined)[]): number[] => found.filter((at) => at !== undefined);
  const after = (moment: number): number | undefined =>
    times(parts.map((part) => part.after(moment))).toSorted((a, b) => a - b)[0];
  return {
    after,
    upTo: (moment) => times(parts.map((part) => part.upTo(moment))).toSorted((a, b) => b - a)[0],
    count(from, to) {
      let counted = 0;
      for (let at = after(from); at !== undefined && at <= to && counted < maxRuns; at = after(at)) counted++;
      return counted;
    },
  };
}

/** The rule for people: an interval in words before it. */
export const showRule = (rule: string): string =>
  rule
    .split(separator)
    .map((part) => {
      const [, , days, letter, short, unit] = repeating.exec(part) ?? [];
      if (days === undefined && short === undefined) return part;
      const name =
        days === undefined ? (unit === 'H' ? 'hour' : 'minute') : lengths[letter as keyof typeof lengths][0];
      return `every ${days ?? short} ${name}s (${part})`;
    })
    .join('; ');

type Part = Pick<Timing, 'after' | 'upTo'>;

function cronTiming(expression: string, timezone: string): Part {
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
  };
}

const lengths = {
  D: ['day', 86_400_000],
  W: ['week', 604_800_000],
  M: ['month', 2_629_746_000],
  Y: ['year', 31_556_952_000],
} as const;

/** Days and longer keep the time of day; hours and minutes follow real time. */
function intervalTiming(text: string, timezone: string): Part {
  const [, start, days, letter, short, unit] = repeating.exec(text) ?? [];
  const first = Date.parse(`${start}Z`);
  if (start === undefined || Number.isNaN(first) || new Date(first).toISOString().slice(0, 16) !== start)
    throw invalid(
      text,
      'a repeating interval is written R/2026-05-12T09:00/P2W, with one of 45 minutes PT45M',
    );
  const [name, calendarMs] = lengths[(letter ?? 'D') as keyof typeof lengths];
  const count = Number(days ?? short);
  const lengthMs = days === undefined ? count * (unit === 'H' ? 3_600_000 : 60_000) : count * calendarMs;
  const begin = atLocal(first, timezone);
  const numbered = (index: number): number =>
    days === undefined ? begin + index * lengthMs : atLocal(add(first, index * count, name), timezone);
  /** The last one up to the moment; below 0: it is before all. */
  const indexAt = (moment: number): number => {
    let index = Math.floor((moment - begin) / lengthMs) + 1;
    while (index >= 0 && numbered(index) > moment) index--;
    return index;
  };
  return {
    after: (moment) => numbered(Math.max(indexAt(moment), -1) + 1),
    upTo: (moment) => (indexAt(moment) < 0 ? undefined : numbered(indexAt(moment))),
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
  return cron === null ? onceTiming(Date.parse(run_at!)) : ruleTiming(cron, timezone);
}

function parse(expression: string, timezone: string): Cron {
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
    `"${expression}" is not a valid cron expression: ${asSentence(reason)} Five fields: minute, hour, day of month, month, day of week. Mondays at 9: "0 9 * * 1".`,
  );
