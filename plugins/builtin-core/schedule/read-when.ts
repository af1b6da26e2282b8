import { PegboardError } from 'pegboard';
import { isRule } from './is-rule.ts';
import { checkTimezone, offsetAt } from './timezone.ts';

/**
 * A rule as it is or in words ("every monday at 9"), otherwise the text itself for `readMoment`. Throws
 * PEG_INVALID_ARGUMENTS for words that recur in a way that no rule can say.
 */
export async function readWhen(
  when: string,
  timezone: string,
  now: number,
): Promise<{ readonly cron: string } | { readonly runAt: string }> {
  if (isRule(when)) return { cron: when };
  checkTimezone(timezone);
  const { readNaturalDate, readRecurring } = await import('./natural-date.ts');
  const ahead = offsetAt(now, timezone);
  const recurring = readRecurring(when, now + ahead);
  if (!recurring) return { runAt: when };
  if ('rule' in recurring) return { cron: recurring.rule };
  // "the last day of the month" is a moment.
  const date = await readNaturalDate(when, now, ahead);
  if (date && !('refused' in date)) return { runAt: when };
  throw new PegboardError('PEG_INVALID_ARGUMENTS', `"${when}" can't be scheduled: ${recurring.refused}.`);
}
