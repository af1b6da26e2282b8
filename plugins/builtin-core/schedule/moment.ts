import { PegboardError } from 'pegboard';
import { checkTimezone } from './timezone.ts';

const local = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/;
const day = 86_400_000;
const absolute = /(?:Z|[+-]\d{2}:?\d{2})$/i;

export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** A time of day was said, or the length of time until then. */
  readonly isTimed: boolean;
}

/**
 * A moment as people and models write it: ISO 8601 with an offset, without one as local time in `timezone`, or in words, as
 * "in 20 minutes" or "tomorrow at 9". A date alone is noon of that day. Throws PEG_INVALID_ARGUMENTS.
 */
export async function readMoment(text: string, timezone: string, now: number): Promise<Moment> {
  checkTimezone(timezone);
  const written = text.trim();
  const [, ...parts] = local.exec(written) ?? [];
  if (parts.length > 0) {
    const isTimed = parts[3] !== undefined;
    const fields = parts.map((part, index) => Number(part ?? (index === 3 ? 12 : 0))) as unknown as Fields;
    if (isDate(fields)) return { at: atLocal(toUtc(fields), timezone), isTimed };
  } else if (absolute.test(written) && !Number.isNaN(Date.parse(written)))
    return { at: Date.parse(written), isTimed: true };
  else {
    const { cronOf, readNaturalDate } = await import('./natural-date.ts');
    const date = await readNaturalDate(written, now, offsetAt(now, timezone));
    if (date) {
      const at = 'moment' in date ? date.moment : atLocal(date.clocks, timezone);
      return { at, isTimed: date.isTimed };
    }
    const cron = cronOf(written);
    if (cron !== undefined)
      throw new PegboardError(
        'PEG_INVALID_ARGUMENTS',
        `"${text}" is no moment that can be read: it comes again and again. Give the cron expression "${cron}" instead.`,
      );
  }
  throw new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `"${text}" is no moment that can be read. Write 2026-05-01T09:00 (in ${timezone}), 2026-05-01T09:00:00+02:00, "in 20 minutes", "tomorrow at 9", "next monday at 9:30" or "20 May at 18:00". What comes again and again is a cron expression: "0 9 * * 1", on Mondays at 9.`,
  );
}

type Fields = [year: number, month: number, day: number, hour: number, minute: number, second: number];

/** 30 February is none. */
function isDate(fields: Fields): boolean {
  const [year, month, day, hour, minute, second] = fields;
  const date = new Date(toUtc(fields));
  return (
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60
  );
}

const toUtc = ([year, month, day, hour, minute, second]: Fields): number =>
  Date.UTC(year, month - 1, day, hour, minute, second);

/**
 * When the clocks show `wanted`, written as if they showed UTC. A time that comes twice means the first; one that is left
 * out is right after the gap, as with cron expressions.
 */
function atLocal(wanted: number, timezone: string): number {
  const before = wanted - offsetAt(wanted - day, timezone);
  const after = wanted - offsetAt(wanted + day, timezone);
  const fits = (moment: number): boolean => moment + offsetAt(moment, timezone) === wanted;
  const [earlier, later] = [Math.min(before, after), Math.max(before, after)];
  return [earlier, later].find(fits) ?? changeBetween(earlier, later, timezone);
}

/** The first moment after which the clocks are as far ahead as at `to`. */
function changeBetween(from: number, to: number, timezone: string): number {
  const wanted = offsetAt(to, timezone);
  let [early, late] = [from, to];
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (offsetAt(middle, timezone) === wanted) late = middle;
    else early = middle;
  }
  return late;
}

/** Milliseconds that clocks there are ahead of UTC. */
function offsetAt(moment: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(moment);
  const of = (type: string): number => Number(parts.find((part) => part.type === type)!.value);
  const there = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return there - Math.floor(moment / 1_000) * 1_000;
}

/** "Mon, 4 May 2026, 09:00", in a time zone. */
export function showMoment(moment: number | string, timezone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(typeof moment === 'string' ? Date.parse(moment) : moment);
}
