import { months, weekdays, type Unit } from './language.ts';
import { noon, takeTime, type Time } from './read-time.ts';

/** A moment, or local clock time: milliseconds since 1970, as if in UTC. */
export type PhraseDate = ({ readonly moment: number } | { readonly clocks: number }) & {
  /** The time of day that was assumed because the text gave none. Absent otherwise, and for durations. */
  readonly assumed?: 'noon' | 'now';
};

/** An understandable text that is not a moment: why, as the end of a sentence. */
export interface Refusal {
  readonly refused: string;
}

export interface Now {
  readonly moment: number;
  /** The current local clock time. */
  readonly clocks: number;
}

export const dayMs = 86_400_000;
/** Words between times and days that don't affect either. */
const fillers = /(?<![\w-])(?:at|on|of|the|from|now)(?![\w-])|[,.]/g;

/**
 * Reads a phrase of these forms: `in 3 day`, `today`, `tomorrow`, `overtomorrow`, `yesterday`, `today in 1 week`, `next
 * week`, `last week`, `next week monday`, `this week monday`, `monday`, `last monday`, `month-end`, `20 may 2027`, each
 * with or without `at 9`, `9:30`, `9 oclock`, `half-past 9`, `half-to 10`, `quarter-past 9`, `quarter-to 10`, `noon`,
 * and `am`, `pm`, `morning`, `afternoon`, `evening` or `night`. Undefined when a word is left over, "unclear" when the
 * time of day is invalid, a refusal for 31 February.
 */
export function readPhrase(words: string, now: Now): PhraseDate | Refusal | 'unclear' | undefined {
  const { rest, time } = takeTime(words);
  if (time === 'unclear') return time;
  const phrase = rest.replaceAll(fillers, ' ').replaceAll(/\s+/g, ' ').trim();
  // "the 15th of the month" counts no months.
  const count = / of /.test(rest)
    ? null
    : /^(?:in )?((?:\d|half).* (?:minute|hour|day|week|month|year)(?: and-half)?|)$/.exec(phrase);
  if (count?.[1]) return counted(count[1], time, now);
  const later = /^(today|tomorrow|overtomorrow) in (\d+ (?:day|week|month|year))$/.exec(phrase);
  if (later) {
    const from = now.clocks + daysAhead[later[1]!]! * dayMs;
    return counted(later[2]!, time, { moment: now.moment, clocks: from });
  }
  const found = dayOf(phrase, now.clocks);
  if (!found) return phrase === '' && time ? nextTime(time, now) : undefined;
  if ('refused' in found) return found;
  const { date, keepsTime, mayBeToday } = found;
  const clocks = time || !keepsTime ? atTime(date, time ?? noon) : date;
  const isToday = mayBeToday && clocks - 7 * dayMs > now.clocks;
  return {
    clocks: isToday ? clocks - 7 * dayMs : clocks,
    ...(!time && { assumed: keepsTime ? 'now' : 'noon' }),
  };
}

export const atTime = (clocks: number, { hour, minute }: Time): number =>
  Math.floor(clocks / dayMs) * dayMs + (hour * 60 + minute) * 60_000;

/** A time of day without a day is the next such time. */
function nextTime(time: Time, { clocks }: Now): PhraseDate {
  const today = atTime(clocks, time);
  return { clocks: today > clocks ? today : today + dayMs };
}

interface Day {
  readonly date: number;
  /** Without a time of day, the current one is used: the day is counted from today. */
  readonly keepsTime?: boolean;
  /** The text named today's weekday: it means today if the time is still to come. */
  readonly mayBeToday?: boolean;
}

const daysAhead: { readonly [words: string]: number } = {
  'last week': -7,
  'day before yesterday': -2,
  yesterday: -1,
  today: 0,
  tomorrow: 1,
  overtomorrow: 2,
  'next week': 7,
};

function dayOf(phrase: string, clocks: number): Day | Refusal | undefined {
  const ahead = daysAhead[phrase];
  if (ahead !== undefined) return { date: clocks + ahead * dayMs, keepsTime: true };
  if (phrase === 'month-end') {
    const today = new Date(clocks);
    return { date: Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 0) };
  }
  const [, side, unit] = /^(next|last) (month|year)$/.exec(phrase) ?? [];
  if (unit !== undefined)
    return { date: add(clocks, side === 'next' ? 1 : -1, unit as Unit), keepsTime: true };
  const [, week, name] = /^((?:next|this|last)(?: week)?|)\s?([a-z]+)$/.exec(phrase) ?? [];
  if (name === undefined || !weekdays.includes(name)) return onWeekday(phrase, clocks);
  const today = (new Date(clocks).getUTCDay() + 6) % 7;
  const distance = daysTo(weekdays.indexOf(name) - today, week!);
  return { date: clocks + distance * dayMs, mayBeToday: distance === 7 && (week === '' || week === 'this') };
}

/** Days from today to the weekday that is `further` days later in the week. */
function daysTo(further: number, week: string): number {
  if (week.endsWith(' week')) return further + daysAhead[week.replace('this week', 'today')]!;
  const next = ((further + 6) % 7) + 1;
  return week !== 'last' ? next : next === 7 ? -7 : next - 7;
}

/** "thursday december 24 2026": a date, and which day of the week it is. */
function onWeekday(phrase: string, clocks: number): Day | Refusal | undefined {
  const [, name, day] =
    /^([a-z]+day) (.*\d.*)$/.exec(phrase) ?? /^(.*\d.*)(?<!\w)([a-z]+day)$/.exec(phrase) ?? [];
  const [named, date] = weekdays.includes(name ?? '') ? [name, day] : [day, name];
  if (named === undefined || !weekdays.includes(named)) return dateOf(phrase, clocks);
  const found = dateOf(date!.trim(), clocks);
  if (!found || 'refused' in found) return found;
  const actual = weekdays[(new Date(found.date).getUTCDay() + 6) % 7]!;
  return actual === named ? found : { refused: `that day is a ${capital(actual)}, not a ${capital(named)}` };
}

const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1);

/** "20 may", "may 20", "20 may 2027", "2027 may 20". */
function dateOf(phrase: string, clocks: number): Day | Refusal | undefined {
  const numbers = [...phrase.matchAll(/\d+/g)].map(([number]) => number);
  const names = phrase.match(/[a-z]+/g) ?? [];
  if (names.length !== 1 || !/^[\da-z ]+$/.test(phrase)) return undefined;
  const month = months.indexOf(names[0]);
  const years = numbers.filter((number) => number.length === 4).map(Number);
  const days = numbers.filter((number) => number.length <= 2).map(Number);
  if (month < 0 || days.length !== 1 || years.length > 1 || years.length + 1 !== numbers.length)
    return undefined;
  const first = years[0] ?? new Date(clocks).getUTCFullYear();
  // Without a year, the next such day: 29 February comes every fourth or eighth year.
  for (let year = first; year <= (years.length > 0 ? first : first + 8); year++) {
    const date = Date.UTC(year, month, days[0]);
    const isReal = new Date(date).getUTCMonth() === month && days[0]! > 0;
    if (isReal && (years.length > 0 || date >= Math.floor(clocks / dayMs) * dayMs)) return { date };
  }
  return { refused: 'that day does not exist' };
}

function counted(phrase: string, time: Time | undefined, now: Now): PhraseDate | undefined {
  const part = /(?:and )?(\d+(?:[.,]\d+)?|half) (minute|hour|day|week|month|year)( and-half)?\s*/y;
  let [clocks, minutes, isShort, isLong] = [now.clocks, 0, false, false];
  while (part.lastIndex < phrase.length) {
    const [, number, unit, half] = part.exec(phrase) ?? [];
    if (number === undefined) return undefined;
    const count =
      (number === 'half' ? 0.5 : Number(number.replace(',', '.'))) + (half === undefined ? 0 : 0.5);
    if (unit === 'minute' || unit === 'hour') {
      minutes += count * (unit === 'hour' ? 60 : 1);
      isShort = true;
    } else {
      if (!Number.isInteger(count)) return undefined;
      clocks = add(clocks, count, unit as Unit);
      isLong = true;
    }
    if (part.lastIndex === 0) return undefined;
  }
  if (isShort && time) return undefined;
  const length = Math.round(minutes * 60_000);
  if (!isLong) return { moment: now.moment + length };
  return { clocks: (time ? atTime(clocks, time) : clocks) + length };
}

/** A month after 31 January is the last day of February. */
export function add(clocks: number, count: number, unit: Unit): number {
  if (unit === 'day' || unit === 'week') return clocks + count * (unit === 'week' ? 7 : 1) * dayMs;
  const date = new Date(clocks);
  const month = date.getUTCMonth() + count * (unit === 'year' ? 12 : 1);
  date.setUTCMonth(month);
  if (date.getUTCMonth() !== ((month % 12) + 12) % 12) date.setUTCDate(0);
  return date.getTime();
}
