import { weekdays } from './language.ts';
import { takeTime } from './read-phrase.ts';

/** The cron expression of what comes again and again: `every day at 9`, `every weekday`, `every 15 minute`. Undefined for anything else. */
export function readRepeat(words: string): string | undefined {
  const { rest, time } = takeTime(words);
  const said = rest
    .replaceAll(/(?<![\w-])(?:at|on|the)(?![\w-])|,/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (time === 'unclear' || !said.startsWith('every')) return undefined;
  const step = /^every (?:(\d+) )?(minute|hour)$/.exec(said);
  if (step) return time === undefined ? stepOf(Number(step[1] ?? 1), step[2]!) : undefined;
  const days = daysOf(said.slice('every'.length).trim());
  return days && `${time?.minute ?? 0} ${time?.hour ?? 9} ${days}`;
}

/** Only what divides an hour or a day comes at equal distances. */
function stepOf(count: number, unit: string): string | undefined {
  const maxInterval = unit === 'minute' ? 60 : 24;
  if (count < 1 || count >= maxInterval || maxInterval % count !== 0) return undefined;
  const every = count === 1 ? '*' : `*/${count}`;
  return unit === 'minute' ? `${every} * * * *` : `0 ${every} * * *`;
}

function daysOf(said: string): string | undefined {
  if (said === 'day') return '* * *';
  if (said === 'weekday') return '* * 1-5';
  if (said === 'week') return '* * 1';
  if (said === 'month') return '1 * *';
  const numbers = said.split(/ (?:and |every )?/).map((name) => (weekdays.indexOf(name) + 1) % 8);
  return numbers.includes(0) ? undefined : `* * ${numbers.map((number) => number % 7).join()}`;
}
