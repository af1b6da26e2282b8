import type { Unit } from './language.ts';
import type { Time } from './read-time.ts';

/** Days and times of day that belong together: "weekdays at 9 and 17". */
export interface Group {
  step?: { readonly count: number; readonly unit: Unit } | undefined;
  /** The ordinal of a weekday that was taken for an interval: "every second Tuesday". */
  ordinal?: string;
  /** Days of the month as cron has them: 15, L for the last, 1W and LW for the first and last weekday. */
  dates: string[];
  /** From Monday as 1. */
  weekdays: number[];
  /** Which of the weekdays in a month: 1 to 5, L for the last. Empty: all. */
  nth: string[];
  /** From January as 1. Empty: all. */
  months: number[];
  times: Time[];
  /** The first and the last time of day of what repeats by the minute or hour. */
  window?: readonly [Time, Time];
}

export interface Repeat {
  readonly groups: readonly Group[];
  /** It is one moment: the next of these days. */
  readonly once?: true;
  /** Days on which nothing is due. */
  readonly except: Group;
}
