import { PegboardError } from 'pegboard';
import type { readNaturalDate } from './natural-date.ts';
import { atLocal, checkTimezone, offsetAt } from './timezone.ts';
import type { PhraseDate, Refusal } from './words/read-phrase.ts';

const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?\s?(?:(Z)|([+-])([01]\d|2[0-3]):?([0-5]\d))?)?$/i;

/** 2026/5/1, as East Asia writes it. */
const yearFirst = /^(\d{4})\/(\d{1,2})\/(\d{1,2})(?![\d/])/;
/** As the preamble of a turn and the list of schedules show it: "… at 6:00 PM (Europe/Berlin)". */
const zoned = /^(.+?),? \(((?:[A-Za-z_]+\/)+[\w+-]+|UTC|GMT)\)$/;
const withHyphens = (_all: string, year: string, month: string, day: string): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;

/** Characters. All languages are tried, in a time that grows by more than the length. */
const maxLength = 200;
/** Maximum years from now. A moment beyond is a typing error. */
const maxYears = 100;

export interface ZonedMoment {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Set if the text gave no time of day: the one that was assumed. Absent for durations. */
  readonly assumed?: 'noon' | 'now' | undefined;
}

/**
 * Reads a moment as people and models write it: ISO 8601 with an offset, without one as local time in `timezone`, or in
 * words such as "in 20 minutes" or "tomorrow at 9". A date alone is noon of that day. Throws PEG_INVALID_ARGUMENTS for
 * unreadable text, and for moments more than 100 years from now. Moments in the past are allowed.
 */
export async function readMoment(text: string, timezone: string, now: number): Promise<ZonedMoment> {
  checkTimezone(timezone);
  if (text.length > maxLength)
    throw new PegboardError('PEG_INVALID_ARGUMENTS', `A moment has at most ${maxLength} characters.`);
  const [, alone, zone] = zoned.exec(text.trim()) ?? [];
  if (alone !== undefined && zone !== undefined) return await readMoment(alone, zone, now);
  const written = text.trim().replace(yearFirst, withHyphens);
  const date = readIsoDate(written) ?? (await readWords(written, now, offsetAt(now, timezone)));
  if (date === undefined) {
    const { readRecurring } = await import('./natural-date.ts');
    const recurring = readRecurring(written, now + offsetAt(now, timezone));
    if (recurring && 'rule' in recurring)
      throw unreadable(text, `: it is recurring. Give the cron expression "${recurring.rule}" instead.`);
    if (recurring) throw unreadable(text, `: ${recurring.refused}.`);
    const { explainUnread } = await import('./suggest-time.ts');
    throw unreadable(text, await explainUnread(written, now, possible(timezone)));
  }
  if ('refused' in date) throw unreadable(text, `: ${date.refused}.`);
  const about = 'moment' in date ? date.moment : date.clocks;
  const last = new Date(now);
  last.setUTCFullYear(last.getUTCFullYear() + maxYears);
  // A date out of range is NaN.
  if (!(about <= last.getTime())) throw unreadable(text, `: it is more than ${maxYears} years from now.`);
  return { at: 'moment' in date ? about : atLocal(about, timezone), assumed: date.assumed };
}

// Loaded only when words have to be read.
const readWords: typeof readNaturalDate = async (text, now, ahead) =>
  (await import('./natural-date.ts')).readNaturalDate(text, now, ahead);

const unreadable = (text: string, why: string): PegboardError =>
  new PegboardError('PEG_INVALID_ARGUMENTS', `"${text}" can't be read as a date and time${why}`);

const possible = (timezone: string): string =>
  `Write 2026-05-01T09:00 (in ${timezone}), 2026-05-01T09:00:00+02:00, "in 20 minutes", "tomorrow at 9", "next monday at 9:30" or "20 May at 18:00". For recurring times, use a cron expression: "0 9 * * 1", on Mondays at 9.`;

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

/** ISO 8601, a date alone as noon of that day. Undefined for other texts. */
function readIsoDate(text: string): PhraseDate | Refusal | undefined {
  const found = iso.exec(text);
  if (!found) return undefined;
  const [, year, month, date, hour, minute, second, fraction = '0', utc, sign, aheadHours, aheadMinutes] =
    found;
  const [hours, minutes, seconds] = [Number(hour ?? 12), Number(minute ?? 0), Number(second ?? 0)];
  const midnight = new Date(0);
  midnight.setUTCFullYear(Number(year), Number(month) - 1, Number(date));
  // 30 February becomes a day in March.
  if (midnight.getUTCMonth() !== Number(month) - 1 || midnight.getUTCDate() !== Number(date))
    return { refused: 'that day does not exist' };
  if (hours > 23 || minutes > 59 || seconds > 59) return { refused: 'that time of day does not exist' };
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1_000);
  const clocks = midnight.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1_000 + milliseconds;
  if (hour === undefined) return { clocks, assumed: 'noon' };
  if (utc === undefined && sign === undefined) return { clocks };
  const ahead = (Number(aheadHours ?? 0) * 60 + Number(aheadMinutes ?? 0)) * 60_000;
  return { moment: sign === '-' ? clocks + ahead : clocks - ahead };
}
