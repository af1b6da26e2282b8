import { months, weekdays, type Unit } from './language.ts';

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

interface Time {
  readonly hour: number;
  readonly minute: number;
}

const dayMs = 86_400_000;
const noon: Time = { hour: 12, minute: 0 };
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
  const count = /^(?:in )?((?:\d|half).* (?:minute|hour|day|week|month|year)(?: and-half)?|)$/.exec(phrase);
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

const atTime = (clocks: number, { hour, minute }: Time): number =>
  Math.floor(clocks / dayMs) * dayMs + (hour * 60 + minute) * 60_000;

/** A time of day without a day is the next such time. */
function nextTime(time: Time, { clocks }: Now): PhraseDate {
  const today = atTime(clocks, time);
  return { clocks: today > clocks ? today : today + dayMs };
}

export function takeTime(words: string): { readonly rest: string; readonly time?: Time | 'unclear' } {
  const spelled = words
    .replaceAll(/(?<=\d) ?(am|pm)(?![\w-])/g, ' $1')
    .replaceAll(/(?<!\d)(\d{1,2})\. ?(\d{1,2})\.(?!\d{1,3}(?!\d))/g, (whole, date: string, month: string) =>
      months[Number(month) - 1] === undefined ? whole : `${date} ${months[Number(month) - 1]} `,
    )
    .replaceAll(/half-past noon|noon and-half/g, '12:30')
    .replaceAll('quarter-past noon', '12:15')
    .replaceAll('quarter-to noon', '11:45')
    .replaceAll(/half-past (\d{1,2})(?: (?:hour|oclock))?(?![\d:])/g, '$1:30')
    .replaceAll(/half-to (\d{1,2})(?![\d:])/g, (_, hour: string) => `${(Number(hour) + 11) % 12 || 12}:30`)
    .replaceAll(/quarter-past (\d{1,2})(?![\d:])/g, '$1:15')
    .replaceAll(/quarter-to (\d{1,2})(?![\d:])/g, (_, hour: string) => `${(Number(hour) + 11) % 12 || 12}:45`)
    .replaceAll(/(\d:\d{2}) oclock/g, '$1')
    .replaceAll(/(\d{1,2}) oclock and-half/g, '$1:30')
    .replaceAll(/(\d{1,2}) oclock (\d{2})(?: minute)?(?![\d:])/g, '$1:$2')
    .replaceAll(/(\d{1,2}) oclock/g, '$1:00')
    .replaceAll(/at (\d{1,2})[.h](\d{2})(?!\d)/g, '$1:$2')
    .replaceAll(/at (\d{1,2}) hour and-half/g, '$1:30')
    .replaceAll(/at (\d{1,2}) hour (\d{2})(?!\d)/g, '$1:$2')
    .replaceAll(/at (\d{1,2}) hour/g, '$1:00')
    .replaceAll(/at (\d{1,2}) and-half/g, '$1:30')
    .replaceAll(/at (\d{1,2})(?![\d:.])/g, '$1:00');
  // "20 pm 3:00" is a day and a time.
  const clock = /\d:\d{2}/.test(spelled)
    ? spelled
    : spelled.replaceAll(/(?<![\d:])(\d{1,2}) ?(am|pm)(?!\w)/g, '$1:00 $2');
  const parts = [...clock.matchAll(/(?<![\w-])(am|pm|morning|afternoon|evening|night|noon)(?![\w-])/g)];
  const times = [...clock.matchAll(/(?<![\d:])(\d{1,2}):(\d{2})(?![\d:])/g)];
  const rest = clock
    .replaceAll(/(?<![\w-])(?:am|pm|morning|afternoon|evening|night|noon)(?![\w-])/g, ' ')
    .replaceAll(/(?<![\d:])\d{1,2}:\d{2}(?![\d:])/g, ' ');
  if (parts.length > 1 || times.length > 1) return { rest, time: 'unclear' };
  const part = parts[0]?.[1];
  if (!times[0]) return part === undefined ? { rest } : { rest, time: defaultTimes[part] ?? 'unclear' };
  const [hour, minute] = [Number(times[0][1]), Number(times[0][2])];
  return { rest, time: hour < 24 && minute < 60 ? inPart({ hour, minute }, part) : 'unclear' };
}

/** Times for texts that name only a part of the day. */
const defaultTimes: { readonly [part: string]: Time } = {
  morning: { hour: 9, minute: 0 },
  noon,
  afternoon: { hour: 15, minute: 0 },
  evening: { hour: 20, minute: 0 },
  night: { hour: 22, minute: 0 },
};

/** "8 in the evening" is 20:00. Contradictions are unclear, and so is the night that "2 at night" belongs to. */
function inPart({ hour, minute }: Time, part: string | undefined): Time | 'unclear' {
  const later = { hour: hour < 12 ? hour + 12 : hour, minute };
  switch (part) {
    case undefined:
      return { hour, minute };
    case 'am':
      return hour > 12 ? 'unclear' : { hour: hour % 12, minute };
    case 'morning':
      return hour > 11 ? 'unclear' : { hour, minute };
    case 'pm':
      return later;
    case 'afternoon':
      return later.hour > 20 ? 'unclear' : later;
    case 'noon':
      return hour === 12 ? { hour, minute } : hour < 4 ? later : 'unclear';
    case 'evening':
      return hour === 12 || later.hour < 16 ? 'unclear' : later;
    default:
      return hour === 12 || later.hour < 18 ? 'unclear' : later;
  }
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
  if (name === undefined || !weekdays.includes(name)) return dateOf(phrase, clocks);
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
function add(clocks: number, count: number, unit: Unit): number {
  if (unit === 'day' || unit === 'week') return clocks + count * (unit === 'week' ? 7 : 1) * dayMs;
  const date = new Date(clocks);
  const month = date.getUTCMonth() + count * (unit === 'year' ? 12 : 1);
  date.setUTCMonth(month);
  if (date.getUTCMonth() !== ((month % 12) + 12) % 12) date.setUTCDate(0);
  return date.getTime();
}
