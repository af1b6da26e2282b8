import { PegboardError } from 'pegboard';
import { checkTimezone } from './timezone.ts';

const units: { readonly [unit: string]: number } = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };
const duration = /^(?:in\s+)?(\d{1,6})\s*(s|m|h|d|w)[a-z]*$/i;
const local = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/;
const absolute = /(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * A moment as people and models write it, in milliseconds since 1970: ISO 8601 with an offset, without one as local
 * time in `timezone`, or "in 20 minutes". Throws PEG_INVALID_ARGUMENTS.
 */
export function readMoment(text: string, timezone: string, now: number): number {
  const written = text.trim();
  const [, count, unit] = duration.exec(written) ?? [];
  if (count !== undefined) return now + Number(count) * units[unit!.toLowerCase()]! * 1_000;
  const [, ...parts] = local.exec(written) ?? [];
  if (parts.length > 0) {
    const fields = parts.map((part) => Number(part ?? 0)) as [number, number, number, number, number, number];
    if (isDate(fields)) return fromLocal(fields, timezone);
  } else if (absolute.test(written) && !Number.isNaN(Date.parse(written))) return Date.parse(written);
  throw new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `"${text}" is no moment that can be read. Write 2026-05-01T09:00 (in ${timezone}), 2026-05-01T09:00:00+02:00, or "in 20 minutes".`,
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

/** A time that comes twice means the first; one that is left out is as much later as the clocks jump. */
function fromLocal(fields: Fields, timezone: string): number {
  checkTimezone(timezone);
  const wanted = toUtc(fields);
  const day = 86_400_000;
  const before = wanted - offsetAt(wanted - day, timezone);
  const after = wanted - offsetAt(wanted + day, timezone);
  const fits = (moment: number): boolean => moment + offsetAt(moment, timezone) === wanted;
  const earlier = Math.min(before, after);
  if (fits(earlier)) return earlier;
  const later = Math.max(before, after);
  return fits(later) ? later : before;
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
