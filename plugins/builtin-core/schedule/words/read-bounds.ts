import { months, units, weekdays } from './language.ts';

const weekday = `(?:${weekdays.join('|')})`;
const month = `(?:${months.join('|')})`;
const number = String.raw`\d{1,2}\.?`;
const date = String.raw`(?:${number} (?:of )?${month}|${month} ${number}|\d{4}-\d\d-\d\d)`;
const day = `(?:(?:on |the )*(?:${date}|${weekday}|${month}|today|tomorrow|month-end)(?![\\w-]))`;
const until = '(?:to|till|until|through)';

/** With the word before, or the times of day: "at 9 and 17 ". */
const last = new RegExp(String.raw`(\bat (?:\S+ and )*\S+ |\S+ |^)${until} (${day})`);
const length = new RegExp(String.raw`\bfor (?:the next )?\d+ (?:${units.join('|')})\b`);
const first = new RegExp(
  String.raw`\b(?:from|(?:starting|beginning)(?: from)?) ${day}(?! ${until} )(?: on(?:wards?)?(?= |$))?`,
);

/** "monday to friday", "march to may", "1 to 5 march": the days themselves, not those within which it holds. */
const ranges = [
  [weekday, weekday],
  [month, month],
  [number, date],
].map(([from, to]) => new RegExp(`^${from} (?:the )?${to}$`));

/**
 * A phrase without its first and last day: "every day at 9" of "every day at 9 until 1 march", in the vocabulary of
 * `translate`. Undefined where it names none.
 */
export function withoutBounds(words: string): string | undefined {
  const [, before = '', end] = last.exec(words) ?? [];
  const isEnd = end !== undefined && !ranges.some((range) => range.test(`${before}${end}`));
  const open = (isEnd ? words.replace(last, '$1') : words).replace(length, '').replace(first, '');
  return open === words ? undefined : open.replaceAll(/\s+/g, ' ').trim();
}
