import { PegboardError } from 'pegboard';
import { checkTimezone } from './timezone.ts';

const local = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/;
const day = 86_400_000;
const absolute = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * A moment as people and models write it, in milliseconds since 1970: ISO 8601 with an offset, without one as local
 * time in `timezone`, or in words, as "in 20 minutes" or "tomorrow at 9". Throws PEG_INVALID_ARGUMENTS.
 */
export async function readMoment(text: string, timezone: string, now: number): Promise<number> {
  checkTimezone(timezone);
  const written = text.trim();
  const [, ...parts] = local.exec(written) ?? [];
  if (parts.length > 0) {
    const fields = parts.map((part) => Number(part ?? 0)) as [number, number, number, number, number, number];
    if (isDate(fields)) return atLocal(toUtc(fields), timezone);
  } else if (absolute.test(written) && !Number.isNaN(Date.parse(written))) return Date.parse(written);
  else {
    const { readNaturalDate } = await import('./natural-date.ts');
    const date = await readNaturalDate(written, now, offsetAt(now, timezone));
    if (date) return 'moment' in date ? date.moment : atLocal(date.clocks, timezone);
  }
  throw new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `"${text}" is no moment that can be read. Write 2026-05-01T09:00 (in ${timezone}), 2026-05-01T09:00:00+02:00, "in 20 minutes" or "tomorrow at 9".`,
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
