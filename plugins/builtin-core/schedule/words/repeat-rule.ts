import { Cron } from 'croner';
import { isShort } from './read-repeat.ts';
import type { Group, Repeat } from './repeat.ts';
import { add, atTime, dayMs, type Refusal } from './read-phrase.ts';
import type { Time } from './read-time.ts';

const nine: Time = { hour: 9, minute: 0 };
const dayMinutes = 1_440;
const letters = { year: 'Y', month: 'M', week: 'W', day: 'D', hour: 'H', minute: 'M' } as const;

/**
 * The rule of what recurs: cron expressions, and repeating intervals of ISO 8601 for what counts days, weeks, months or
 * minutes beyond them, with "; " between. Intervals begin with the first such time from `clocks` on, in local clock time.
 * Without a time of day, at nine. A refusal where no rule can say it.
 */
export function ruleOf({ groups, except }: Repeat, clocks: number): { readonly rule: string } | Refusal {
  const lines: string[] = [];
  for (const [index, group] of groups.entries()) {
    const others = [...groups.slice(index + 1), ...groups.slice(0, index).toReversed()];
    const times = [group, ...others].find(({ times }) => times.length > 0)?.times ?? [nine];
    const own = linesOf(group, isShort(group) ? group.times : times, except, clocks);
    if ('refused' in own) return own;
    lines.push(...own);
  }
  return { rule: [...new Set(lines)].join('; ') };
}

function linesOf(
  group: Group,
  times: readonly Time[],
  except: Group,
  clocks: number,
): readonly string[] | Refusal {
  const { step = { count: 1, unit: 'day' }, window } = group;
  const leavesOut = [except.weekdays, except.months, except.dates].some((days) => days.length > 0);
  if (except.step || except.times.length > 0 || except.nth.length > 0)
    return { refused: 'only days of the week, days of the month and months can be left out' };
  if (isShort(group)) {
    if (times.length > 0)
      return { refused: 'it names both an interval and a time of day. Write "every hour from 9 to 17"' };
    const minutes = step.count * (step.unit === 'hour' ? 60 : 1);
    const all = timesBetween(
      minutes,
      window ?? [
        { hour: 0, minute: 0 },
        { hour: 23, minute: 59 },
      ],
    );
    const days = daysOf(group, except);
    if (typeof days !== 'string') return days;
    const isWholeDay = !window && days === '* * *';
    if (window && minutesOf(window[0]) > minutesOf(window[1]) && days !== '* * *')
      return { refused: 'on some days only, times over midnight are unclear. Write two schedules' };
    const lines = cronLines(all, days);
    if (!isWholeDay || (lines.length === 1 && minutes < dayMinutes)) return lines;
    return [interval(clocks, `T${step.count}${letters[step.unit]}`)];
  }
  if (window) return { refused: 'it does not say how often in between. Write "every hour from 9 to 17"' };
  if (step.count > 1 && !(step.unit === 'month' && 12 % step.count === 0)) {
    if (leavesOut) return { refused: 'what counts days, weeks, months or years can leave none out' };
    return counted(group, step, times, clocks);
  }
  const days = daysOf(group, except);
  if (typeof days !== 'string') return days;
  const lines = cronLines(times, days);
  return step.unit === 'month' && step.count > 1 ? everyFewMonths(lines, step.count, clocks) : lines;
}

/** Those of every month, in every so many: the first one is the next. */
function everyFewMonths(lines: readonly string[], count: number, clocks: number): readonly string[] {
  const next = (line: string): number =>
    new Cron(line, { timezone: 'UTC' }).nextRun(new Date(clocks))?.getTime() ?? Infinity;
  const first = new Date(Math.min(...lines.map(next))).getUTCMonth() % count;
  const months = Array.from({ length: 12 / count }, (_, at) => first + at * count + 1);
  const field = first === 0 ? `*/${count}` : ranges(months, String);
  return lines.map((line) => line.split(' ').with(3, field).join(' '));
}

/** Repeating intervals, each from its first occurrence on. */
function counted(
  group: Group,
  { count, unit }: NonNullable<Group['step']>,
  times: readonly Time[],
  clocks: number,
): readonly string[] | Refusal {
  const { weekdays, dates, months, nth } = group;
  const plain = { refused: `counting ${unit}s goes with no such days. Write "every ${count} ${unit}s"` };
  const tail = `${count}${letters[unit]}`;
  if (nth.length > 0 || (unit !== 'week' && weekdays.length > 0)) return plain;
  if (unit === 'day' || unit === 'week') {
    if (dates.length > 0 || months.length > 0) return plain;
    const wanted = unit === 'week' ? (weekdays.length > 0 ? weekdays : [1]) : [];
    const firsts = times.map((time) => {
      for (let day = clocks; ; day += dayMs)
        if (atTime(day, time) > clocks && (unit === 'day' || wanted.includes(weekdayOf(day))))
          return atTime(day, time);
    });
    if (unit === 'day') return firsts.map((first) => interval(first, tail));
    // All days of the week are in the week of the first of them.
    const first = Math.min(...firsts);
    const monday = first - (weekdayOf(first) - 1) * dayMs;
    return wanted.flatMap((day) =>
      times.map((time) => interval(atTime(monday + (day - 1) * dayMs, time), tail)),
    );
  }
  const [date = '1', ...others] = dates;
  const month = months[0] ?? 1;
  if (
    others.length > 0 ||
    months.length > 1 ||
    !/^\d+$/.test(date) ||
    (unit === 'month' && months.length > 0)
  )
    return plain;
  return times.map((time) => {
    const today = new Date(clocks);
    const from = Date.UTC(today.getUTCFullYear(), unit === 'year' ? month - 1 : today.getUTCMonth(), 1);
    for (let begin = from; ; begin = add(begin, 1, unit)) {
      const at = atTime(begin + (Number(date) - 1) * dayMs, time);
      // A month without that day is no beginning.
      if (at > clocks && new Date(at).getUTCDate() === Number(date)) return interval(at, tail);
    }
  });
}

const weekdayOf = (clocks: number): number => new Date(clocks).getUTCDay() || 7;
const interval = (clocks: number, length: string): string =>
  `R/${new Date(clocks).toISOString().slice(0, 16)}/P${length}`;

/** The last three fields of cron expressions: day of the month, month, day of the week. */
function daysOf(group: Group, except: Group): string | Refusal {
  const { step, nth } = group;
  const nothing = { refused: 'it leaves no day' };
  const isEveryFew = step?.unit === 'month' && step.count > 1;
  let { dates, weekdays, months } = group;
  if (step?.unit === 'week' && weekdays.length === 0) weekdays = [1];
  if ((step?.unit === 'month' || step?.unit === 'year') && dates.length === 0 && weekdays.length === 0)
    dates = ['1'];
  if (step?.unit === 'year' && months.length === 0) months = [1];
  if (isEveryFew && (months.length > 0 || except.months.length > 0))
    return { refused: 'it names an interval of months and months. Write the months' };
  if (except.weekdays.length > 0) {
    if (nth.length > 0) return { refused: 'a weekday of the month leaves none out. Write two schedules' };
    weekdays = without(weekdays, except.weekdays, 7);
    if (weekdays.length === 0) return nothing;
  }
  if (except.months.length > 0 && except.dates.length === 0) months = without(months, except.months, 12);
  if (except.dates.length > 0) {
    if (except.months.length > 0 || [...dates, ...except.dates].some((date) => !/^\d+$/.test(date)))
      return { refused: 'of dates, only days of the month can be left out' };
    dates = without(dates.map(Number), except.dates.map(Number), 31).map(String);
  }
  if ((except.months.length > 0 && months.length === 0) || (except.dates.length > 0 && dates.length === 0))
    return nothing;
  const month = listed(months, 12);
  const date = dates.every((day) => /^\d+$/.test(day))
    ? listed(dates.map(Number), 31)
    : [...new Set(dates)].join();
  const week =
    nth.length > 0
      ? weekdays.flatMap((day) => nth.map((which) => `${day % 7}#${which}`)).join()
      : listed(weekdays, 7, (day) => day % 7);
  // Both together: a plus means that both have to fit.
  return `${date} ${month} ${date !== '*' && week !== '*' ? '+' : ''}${week}`;
}

const without = (all: readonly number[], out: readonly number[], length: number): number[] =>
  (all.length > 0 ? all : Array.from({ length }, (_, index) => index + 1)).filter(
    (one) => !out.includes(one),
  );

function timesBetween(minutes: number, [from, to]: readonly [Time, Time]): readonly Time[] {
  const begin = minutesOf(from);
  const end = minutesOf(to) + (minutesOf(to) < begin ? dayMinutes : 0);
  const times: Time[] = [];
  for (let at = begin; at <= end; at += minutes)
    times.push({ hour: Math.floor(at / 60) % 24, minute: at % 60 });
  return times;
}

const minutesOf = ({ hour, minute }: Time): number => hour * 60 + minute;

/** One line for all hours with the same minutes. */
function cronLines(times: readonly Time[], days: string): readonly string[] {
  const minutes = new Map<number, Set<number>>();
  for (const { hour, minute } of times) minutes.set(hour, (minutes.get(hour) ?? new Set()).add(minute));
  const hours = new Map<string, number[]>();
  for (const [hour, own] of minutes) {
    const field = stepped([...own], 60);
    hours.set(field, [...(hours.get(field) ?? []), hour]);
  }
  return [...hours].map(([minute, same]) => `${minute} ${stepped(same, 24)} ${days}`);
}

/** Numbers from 0 to below `length`: `*`, with equal steps through all, or as a list. */
function stepped(numbers: readonly number[], length: number): string {
  const sorted = [...new Set(numbers)].toSorted((a, b) => a - b);
  if (sorted.length === length) return '*';
  const step = length / sorted.length;
  if (sorted.length > 1 && Number.isInteger(step) && sorted.every((number, index) => number === index * step))
    return `*/${step}`;
  return ranges(sorted, String);
}

/** Numbers from 1 to `length`. None, or all: `*`. */
function listed(
  numbers: readonly number[],
  length: number,
  named = (number: number): number => number,
): string {
  const sorted = [...new Set(numbers)].toSorted((a, b) => a - b);
  return sorted.length === 0 || sorted.length === length ? '*' : ranges(sorted, (one) => String(named(one)));
}

/** 1, 2, 3, 5 is "1-3,5". */
function ranges(sorted: readonly number[], show: (number: number) => string): string {
  const runs: number[][] = [];
  for (const number of sorted)
    if (runs.at(-1)?.at(-1) === number - 1) runs.at(-1)!.push(number);
    else runs.push([number]);
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.map(show).join())).join();
}
