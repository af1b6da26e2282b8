import { months, weekdays } from './language.ts';
import { takeTime } from './read-phrase.ts';

const nine = { hour: 9, minute: 0 };

/**
 * The cron expression of a recurring phrase: `every day at 9`, `every weekday`, `monday to friday at 8`, `every 15
 * minute`, `every 1 of the month`. Without a time of day, at nine. Undefined for other texts.
 */
export function readRepeat(words: string): string | undefined {
  const { rest, time = nine } = takeTime(words);
  const phrase = withoutFillers(rest);
  if (time === 'unclear') return undefined;
  const step = /^every (?:(\d+) )?(minute|hour)$/.exec(phrase);
  if (step) return time === nine ? stepOf(Number(step[1] ?? 1), step[2]!) : undefined;
  const days = daysOf(phrase);
  return days && `${time.minute} ${time.hour} ${days}`;
}

/**
 * Why no cron expression means what the phrase says, as the end of a sentence: it counts days or weeks, and cron
 * expressions begin to count anew with each month. Undefined for other texts.
 */
export function uncountable(words: string): string | undefined {
  const { rest, time = nine } = takeTime(words);
  const [, count, unit] = /^every (other|second|\d+) (day|week)$/.exec(withoutFillers(rest)) ?? [];
  if (count === undefined || count === '1' || time === 'unclear') return undefined;
  if (unit === 'week') return 'schedules repeat by days of the week, month or year, and count no weeks';
  const every = Number(count) || 2;
  return `schedules repeat by days of the week, month or year, and count no days. The cron expression "${time.minute} ${time.hour} */${every} * *" comes near: it begins anew with each month`;
}

const withoutFillers = (text: string): string =>
  text
    .replaceAll(/(?<![\w-])(?:at|on|the)(?![\w-])|,/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Cron supports equal intervals only if they divide an hour or a day. */
function stepOf(count: number, unit: string): string | undefined {
  const maxInterval = unit === 'minute' ? 60 : 24;
  if (count < 1 || count >= maxInterval || maxInterval % count !== 0) return undefined;
  const every = count === 1 ? '*' : `*/${count}`;
  return unit === 'minute' ? `${every} * * * *` : `0 ${every} * * *`;
}

/** The last three fields: day of the month, month, day of the week. */
function daysOf(phrase: string): string | undefined {
  const [, from, to] = /^(?:every )?(\w+) (?:to|through|till|until|-|–) (\w+)$/.exec(phrase) ?? [];
  if (from !== undefined) return rangeOf(weekdays.indexOf(from), weekdays.indexOf(to!));
  const [, name, day, other] =
    /^every (?:year )?(?:([a-z]+) (\d{1,2})|(\d{1,2}) (?:of )?[a-z]+)$/.exec(phrase) ?? [];
  const month = months.indexOf(name ?? phrase.split(' ').at(-1)!) + 1;
  if (month > 0) return dayOfMonth(Number(day ?? other), String(month));
  const [, ...dates] =
    /^(?:every (\d{1,2}) of (?:every )?month|(\d{1,2}) (?:of )?every month|every month (\d{1,2}))$/.exec(
      phrase,
    ) ?? [];
  const date = dates.find((found) => found !== undefined);
  if (date !== undefined) return dayOfMonth(Number(date), '*');
  const [, count] = /^every (\d{1,2}) month$/.exec(phrase) ?? [];
  if (count !== undefined) return 12 % Number(count) === 0 ? `1 */${count} *` : undefined;
  return phrase.startsWith('every ') ? daysNamed(phrase.slice('every '.length)) : undefined;
}

function daysNamed(phrase: string): string | undefined {
  if (phrase === 'day') return '* * *';
  if (phrase === 'weekday') return '* * 1-5';
  if (phrase === 'weekend') return '* * 6,0';
  if (phrase === 'week') return '* * 1';
  if (phrase === 'month') return '1 * *';
  if (phrase === 'year') return '1 1 *';
  const numbers = phrase.split(/(?: (?:and|every))* /).map((name) => (weekdays.indexOf(name) + 1) % 8);
  return numbers.includes(0) ? undefined : `* * ${numbers.map((number) => number % 7).join()}`;
}

/** Of two weekdays, from Monday as 0. */
const rangeOf = (from: number, to: number): string | undefined =>
  from < 0 || to <= from ? undefined : `* * ${to === 6 ? `${from + 1}-7` : `${from + 1}-${to + 1}`}`;

const dayOfMonth = (day: number, month: string): string | undefined =>
  day >= 1 && day <= 31 ? `${day} ${month} *` : undefined;
