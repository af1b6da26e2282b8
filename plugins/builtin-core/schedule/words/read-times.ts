import { defaultTimes, inPart, type Time } from './read-time.ts';
import type { Group } from './repeat.ts';
import type { Tokens } from './tokens.ts';

interface Written {
  readonly time: Time;
  /** "pm", "morning". Undefined where none stands beside it. */
  readonly part: string | undefined;
}

const parts = ['am', 'pm', 'morning', 'afternoon', 'evening', 'night', 'noon'];
/** What a number counts or dates, so that it is no time of day. */
const counted =
  /^(?:minute|hour|day|week|month|year|of|weekday|to|[a-z]+day|[a-z]+ber|january|february|march|april|may|june|july|august)$/;

/** "9:00 and 17:00", "noon". False, and nothing taken, where no time of day stands. */
export function readTimes(tokens: Tokens, group: Group): boolean {
  if (group.times.length > 0 || group.window) return false;
  const found: Written[] = [];
  for (;;) {
    const begun = tokens.position();
    if (found.length > 0 && !tokens.take('and', ',')) break;
    const next = readTime(tokens, found.length > 0);
    if (!next) {
      tokens.goTo(begun);
      break;
    }
    found.push(next);
  }
  if (found.length === 1 && tokens.take('to')) {
    const last = readTime(tokens, true);
    return last !== undefined && setWindow(group, found[0]!, last);
  }
  const isNightly = group.step?.unit === 'day' && group.weekdays.length === 0;
  const times = resolved(found, isNightly);
  group.times.push(...(times ?? []));
  return found.length > 0 && times !== undefined;
}

/** "between 9 and 17", "from 9 to 5". */
export function readWindow(tokens: Tokens, group: Group): boolean {
  const begun = tokens.position();
  if (tokens.take('between', 'from')) {
    const first = readTime(tokens, true);
    const last = first && tokens.take('and', 'to') && readTime(tokens, true);
    if (first && last && setWindow(group, first, last)) return true;
  }
  tokens.goTo(begun);
  return false;
}

/** `isKnown`: the words before say that a number is a time of day. */
function readTime(tokens: Tokens, isKnown: boolean): Written | undefined {
  const begun = tokens.position();
  const before = tokens.take(...parts);
  const written = tokens.peek();
  const isNumber = /^\d{1,2}$/.test(written);
  const follows = tokens.peek(1);
  const isHour = follows === 'hour' && Number(written) > 9;
  const isTime = isNumber
    ? parts.includes(follows) || isHour || (isKnown && !counted.test(follows.replace(/^to$/, '')))
    : /^\d+:\d{2}$/.test(written);
  if (!isTime) {
    if (before !== undefined && defaultTimes[before] && !isNumber)
      return { time: defaultTimes[before], part: undefined };
    tokens.goTo(begun);
    return undefined;
  }
  tokens.take(written);
  if (isHour || isKnown) tokens.take('hour');
  const [hour, minute = 0] = written.split(':').map(Number);
  return { time: { hour: hour!, minute }, part: before ?? tokens.take(...parts) };
}

/**
 * In "7 and 9 pm" the part holds for both, in "9 and 5 pm" for the last one. `isNightly`: of every night, so that 2 at night
 * is one time of day. Undefined for times that don't exist.
 */
function resolved(written: readonly Written[], isNightly = false): readonly Time[] | undefined {
  const [last] = written.slice(-1);
  const isShared = written.slice(0, -1).every(({ part }) => part === undefined) && last?.part !== undefined;
  const one = ({ time: { hour, minute }, part }: Written): Time | 'unclear' => {
    if (hour > 23 || minute > 59) return 'unclear';
    if (isNightly && part === 'night' && (hour < 6 || hour === 12)) return { hour: hour % 12, minute };
    return inPart({ hour, minute }, part);
  };
  const asWritten = written.map(one);
  const together = isShared ? written.map(({ time }) => one({ time, part: last.part })) : asWritten;
  const times = areAscending(together) ? together : later(asWritten, written);
  return times.every((time) => time !== 'unclear') ? times : undefined;
}

/** "9 and 5", "9 am and 5": what is said after nine is later. "9 pm and 6" may be either. */
function later(
  times: readonly (Time | 'unclear')[],
  written: readonly Written[],
): readonly (Time | 'unclear')[] {
  const isAnyNamed = written.some(({ part }) => part !== undefined);
  const found: (Time | 'unclear')[] = [];
  for (const [index, time] of times.entries()) {
    const before = found.at(-1);
    const isBare = written[index]!.part === undefined && time !== 'unclear' && time.hour <= 12;
    if (!isBare || !before || areAscending([before, time])) found.push(time);
    else {
      const afternoon = { hour: (time.hour % 12) + 12, minute: time.minute };
      const fits = areAscending([before, afternoon]) && (before as Time).hour <= 12;
      found.push(fits ? afternoon : isAnyNamed ? 'unclear' : time);
    }
  }
  return found;
}

const minutesOf = ({ hour, minute }: Time): number => hour * 60 + minute;

const areAscending = (times: readonly (Time | 'unclear')[]): boolean =>
  times.every(
    (time, index) =>
      time !== 'unclear' && (index === 0 || minutesOf(time) > minutesOf(times[index - 1] as Time)),
  );

/** "9 to 5" ends in the afternoon, "22 to 6" on the next morning. */
function setWindow(group: Group, first: Written, last: Written): boolean {
  const [from, to] = resolved([first, last]) ?? [];
  if (!from || !to || group.window || group.times.length > 0) return false;
  const isTwelve = last.part === undefined && from.hour <= 12 && to.hour <= 12 && to.hour > 0;
  const isLater = isTwelve && minutesOf(to) < minutesOf(from);
  group.window = [from, isLater ? { hour: (to.hour % 12) + 12, minute: to.minute } : to];
  return minutesOf(from) !== minutesOf(group.window[1]);
}
