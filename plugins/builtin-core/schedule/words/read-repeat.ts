import { units, type Unit } from './language.ts';
import { namedDays, readMonths, readOrdinals, readWeekdays } from './read-lists.ts';
import { withoutBounds } from './read-bounds.ts';
import type { Refusal } from './read-phrase.ts';
import { readTimes, readWindow } from './read-times.ts';
import type { Group, Repeat } from './repeat.ts';
import { createTokens, type Tokens } from './tokens.ts';

interface State {
  /** What is read are the days left out. */
  isExcept?: boolean;
  /** After an "and". */
  isLater?: boolean;
  /** The words say that it happens again and again. */
  recurs: boolean;
  /** Why no days can be told, as the end of a sentence. */
  refused?: string;
}

const emptyGroup = (): Group => ({ dates: [], weekdays: [], nth: [], months: [], times: [] });

/** What is said of how often something happens without saying when. */
const ways: { readonly [unit: string]: readonly [often: string, seldom: string] } = {
  minute: ['every minute', 'every 15 minutes'],
  hour: ['every 30 minutes', 'every 2 hours'],
  day: ['every day at 9 and 17', 'every 2 days'],
  week: ['every monday and thursday at 9', 'every 2 weeks'],
  month: ['every 1st and 15th of the month at 9', 'every 2 months'],
  year: ['every 6 months', 'every 2 years'],
};

/**
 * Reads a recurring phrase in the vocabulary of `translate`: ordinals, weekdays, units, dates, lists and ranges of them,
 * times of day or a window, exceptions, in any order, several groups joined by "and". Undefined when a word is left
 * over or nothing recurs. A refusal where it is not said when it happens.
 */
export function readRepeat(words: string): Repeat | Refusal | undefined {
  const [, vague, period] =
    /(several-times|either-way|every-few) (minute|hour|day|week|month|year)(?![\w-])/.exec(words) ?? [];
  if (period !== undefined) {
    const [often, seldom] = ways[period]!;
    if (vague === 'either-way')
      return {
        refused: `it means twice or every two to different people. Write "${seldom}" or "${often}"`,
      };
    return {
      refused: `it does not say when. Write when, as in "${vague === 'every-few' ? seldom : often}"`,
    };
  }
  const open = withoutBounds(words);
  const repeat = open === undefined ? undefined : readRepeat(open);
  if (repeat && !('refused' in repeat) && repeat.once !== true)
    return {
      refused: `no schedule begins or ends by itself. Write "${open}" when it is to begin, and cancel it when it is to end`,
    };
  const tokens = createTokens(words);
  if (!tokens) return undefined;
  const groups = [emptyGroup()];
  const except = emptyGroup();
  const state: State = { recurs: false };
  while (!tokens.isDone()) {
    const group = groups.at(-1)!;
    if (tokens.take('except')) {
      if (!readDays(tokens, except, { recurs: true, isExcept: true })) return undefined;
      continue;
    }
    const separator = tokens.take('and', ',');
    if (separator !== undefined && (readsOn(tokens) || !hasDays(group))) continue;
    if (separator !== undefined && !(separator === ',' && completes(group, tokens))) {
      groups.push(emptyGroup());
      continue;
    }
    if (readWindow(tokens, group) || readTimes(tokens, group)) continue;
    state.isLater = groups.length > 1;
    if (!readDays(tokens, group, state)) return undefined;
    if (state.refused !== undefined) return { refused: state.refused };
  }
  if (!groups.every(hasDays)) return undefined;
  shareMonths(groups);
  if (state.recurs) return { groups, except };
  const [
    {
      dates: [date],
      nth,
      months,
    },
  ] = groups as [Group];
  // "the first tuesday of november"
  if (groups.length === 1 && nth.length === 1 && months.length === 1) return { groups, except, once: true };
  // "the 15th of the month"; with the name of a month it is a moment.
  if (date === undefined || groups.some((group) => group.months.length > 0)) return undefined;
  const shown = /\d/.test(date)
    ? `day ${Number.parseInt(date, 10)} of every month`
    : 'last day of every month';
  return { refused: `it is a day of one month or of each. Write "${shown}"` };
}

/** "the 2nd monday and 4th friday of the month": the month holds for both. */
function shareMonths(groups: readonly Group[]): void {
  for (const [index, group] of groups.entries()) {
    const next = groups[index + 1];
    if (group.ordinal === undefined || !next || next.nth.length === 0) continue;
    group.step = undefined;
    group.nth.push(group.ordinal);
    group.months.push(...next.months);
  }
}

const hasDays = ({ step, dates, weekdays: days }: Group): boolean =>
  step !== undefined || dates.length > 0 || days.length > 0;

/** After a comma: what follows says more about the same days. */
const readsOn = (tokens: Tokens): boolean =>
  /^(?:except|between|from|\d+:\d+|noon|morning|afternoon|evening|night)$/.test(tokens.peek());

/** "weekdays, every 30 minutes": an interval and its days. "every day, monday to friday": the days in other words. */
const completes = (group: Group, tokens: Tokens): boolean =>
  group.times.length === 0 &&
  (group.step?.unit === 'day' || isShort(group) !== /^every (?:\d+ )?(?:minute|hour)/.test(tokens.rest()));

export const isShort = ({ step }: Group): boolean => step?.unit === 'minute' || step?.unit === 'hour';

/** One statement about days. False if there is none, or it contradicts the group. */
function readDays(tokens: Tokens, group: Group, state: State): boolean {
  if (tokens.peek(1) in namedDays) tokens.take('from');
  const isEvery = tokens.take('every') !== undefined;
  if (isEvery) state.recurs = true;
  const ordinals = readOrdinals(tokens);
  if (ordinals.length > 0) return readOrdered(tokens, ordinals, group, state, isEvery);
  const begun = tokens.position();
  const days = readWeekdays(tokens);
  if (days.length > 0) {
    group.weekdays.push(...days);
    // A list of weekdays is no moment.
    if (tokens.position() > begun + 1) state.recurs = true;
    return true;
  }
  const unit = units.find((name) => tokens.take(name));
  if (unit !== undefined && isShort(group)) return refuseTwo(state);
  if (unit !== undefined) return !(unit === 'day' && group.weekdays.length > 0) && setStep(group, 1, unit);
  const isIn = tokens.take('in', 'of') !== undefined;
  const named = readMonths(tokens);
  const dates = readOrdinals(tokens);
  group.months.push(...named);
  group.dates.push(...dates);
  return named.length > 0 && (isIn || dates.length > 0 || state.isExcept === true) && areDates(dates);
}

/** What "1st and 3rd", "last" or "2" count. */
function readOrdered(
  tokens: Tokens,
  ordinals: readonly string[],
  group: Group,
  state: State,
  isEvery: boolean,
): boolean {
  const counted = tokens.take('weekday', 'day');
  const days = counted === undefined ? readWeekdays(tokens) : [];
  if (counted !== undefined || days.length > 0) {
    const period = readPeriod(tokens, ordinals, state, days.length > 0 || counted === 'weekday');
    if (period) group.months.push(...period);
    const isOnly = ordinals.length === 1;
    if (days.length > 0) {
      group.weekdays.push(...days);
      // "every 2nd Tuesday" is every other one, but there is no other reading of "every last Friday".
      if (!period && isOnly && ordinals[0] !== '1' && ordinals[0] !== 'L')
        return setStep(group, Number((group.ordinal = ordinals[0]!)), 'week');
      group.nth.push(...ordinals);
      return ordinals.every((nth) => nth === 'L' || (Number(nth) >= 1 && Number(nth) <= 5));
    }
    if (!period && counted === 'day' && state.isLater === true && !isEvery) return refuseTwo(state);
    if (!period) return counted === 'day' && isOnly && setStep(group, Number(ordinals[0]), 'day');
    if (isEvery && isOnly && counted === 'day' && Number(ordinals[0]) > 1)
      state.refused = `it is one day of the month or every ${ordinals[0]} days. Write "day ${ordinals[0]} of every month" or "every ${ordinals[0]} days"`;
    group.dates.push(...ordinals.map((nth) => (counted === 'day' ? nth : `${nth}W`)));
    return counted === 'day' ? areDates(ordinals) : ordinals.every((nth) => nth === '1' || nth === 'L');
  }
  const unit = units.find((name) => tokens.take(name));
  // "every 3 hours and 30 minutes"
  if (unit !== undefined && (isShort(group) || (state.isLater === true && !isEvery))) return refuseTwo(state);
  if (unit !== undefined) {
    const half = tokens.take('and-half') === undefined ? 0 : 0.5;
    return ordinals.length === 1 && setStep(group, Number(ordinals[0]) + half, unit);
  }
  const named = readMonths(tokens);
  const period = named.length > 0 ? named : readPeriod(tokens, ordinals, state, false);
  // "monthly on the 15th"
  if (!period && group.step?.unit !== 'month' && !state.isExcept) return false;
  group.months.push(...(period ?? []));
  group.dates.push(...ordinals);
  return areDates(ordinals);
}

/** "every hour on the half hour" */
function refuseTwo(state: State): true {
  state.refused =
    'it names two intervals. Write one, as in "every 90 minutes", or "30 * * * *" for minute 30 of every hour';
  return true;
}

const areDates = (ordinals: readonly string[]): boolean =>
  ordinals.every((date) => date === 'L' || (Number(date) >= 1 && Number(date) <= 31));

/** Half hours become minutes. */
function setStep(group: Group, count: number, unit: Unit): boolean {
  const isHalf = unit === 'hour' && !Number.isInteger(count);
  const [whole, smaller] = isHalf ? [count * 60, 'minute' as const] : [count, unit];
  if (!Number.isInteger(whole) || whole < 1 || whole > 9_999) return false;
  if (group.step && !(group.step.unit === 'year' || group.step.count === 1)) return false;
  group.step = { count: whole, unit: smaller };
  return true;
}

/** "of the month", "of every quarter", "of march", "every month": its months, none for all. Undefined for other words. */
function readPeriod(
  tokens: Tokens,
  ordinals: readonly string[],
  state: State,
  mayRecur: boolean,
): readonly number[] | undefined {
  const begun = tokens.position();
  const isOf = tokens.take('of', 'in') !== undefined;
  const isEvery = tokens.take('every') !== undefined;
  if (isOf) tokens.take('1');
  const period = isOf || isEvery ? tokens.take('month', 'quarter', 'year') : undefined;
  const named = isOf && period === undefined ? readMonths(tokens) : [];
  if (period === undefined && named.length === 0) {
    tokens.goTo(begun);
    return undefined;
  }
  if (isEvery || (mayRecur && period !== undefined)) state.recurs = true;
  const isLast = ordinals.includes('L');
  if (period === 'quarter') return isLast ? [3, 6, 9, 12] : [1, 4, 7, 10];
  if (period === 'year') return isLast ? [12] : [1];
  return named;
}
