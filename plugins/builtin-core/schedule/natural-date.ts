import { toJson } from 'pegboard';
import { months, translate } from './words/language.ts';
import { languages } from './words/languages.ts';
import { readEnglish } from './words/read-english.ts';
import { readPhrase, type PhraseDate, type Refusal } from './words/read-phrase.ts';
import { ruleTiming } from './timing.ts';
import type { Repeat } from './words/repeat.ts';
import { readRepeat } from './words/read-repeat.ts';
import { ruleOf } from './words/repeat-rule.ts';

/** 5/6 is a day in May or in June, depending on who wrote it. */
const ambiguous = /(?<![\d:])(\d{1,2})\/(\d{1,2})(?![\d:])/;

/** The library misses parts of the day, and takes a few for three. */
const notForLibrary =
  /\b(?:tonight|morning|afternoon|evening|night|noon|midnight|half|quarter|few|several|some)\b/i;

/**
 * Reads "in 2 months", "tomorrow at 9" or "nächsten Freitag", provided that every word is understood and all languages
 * that understand it agree. `ahead`: milliseconds by which clocks are ahead of UTC at `now`. Returns a refusal for days
 * that don't exist or are ambiguous, and undefined for other texts.
 */
export async function readNaturalDate(
  text: string,
  now: number,
  ahead: number,
): Promise<PhraseDate | Refusal | undefined> {
  const slashed = ambiguous.exec(text);
  if (slashed) return { refused: whichDay(slashed[0], Number(slashed[1]), Number(slashed[2])) };
  const there = { moment: now, clocks: now + ahead };
  const translated = translations(text);
  const read = translated.map((words) => readPhrase(words, there));
  const found = new Map(
    read.filter((date) => date !== undefined && date !== 'unclear').map((date) => [toJson(date), date]),
  );
  if (found.size === 1) return [...found.values()][0];
  if (found.size === 0) {
    const once = translated.map(readRepeat).find((repeat) => repeat && 'once' in repeat);
    if (once && 'once' in once) return nextOf(once, now + ahead);
  }
  if (found.size > 1 || read.includes('unclear') || notForLibrary.test(text)) return undefined;
  return await readEnglish(text, now, ahead);
}

/** Without a time of day, at noon. */
function nextOf({ groups: [group], except }: Repeat, clocks: number): PhraseDate | undefined {
  const isTimed = group!.times.length > 0;
  const timed = isTimed ? group! : { ...group!, times: [{ hour: 12, minute: 0 }] };
  const found = ruleOf({ groups: [timed], except }, clocks);
  const at = 'rule' in found ? ruleTiming(found.rule, 'UTC').after(clocks) : undefined;
  return at === undefined ? undefined : { clocks: at, ...(!isTimed && { assumed: 'noon' }) };
}

function whichDay(written: string, first: number, second: number): string {
  const asDay = (day: number, month: number): string[] =>
    day >= 1 && day <= 31 && months[month - 1] !== undefined
      ? [`"${day} ${inCapitals(months[month - 1]!)}"`]
      : [];
  const days = [...new Set([...asDay(first, second), ...asDay(second, first)])];
  if (days.length === 0) return `the day ${written} does not exist`;
  const isTwo = days.length > 1 ? `${written} is two days` : 'it is unclear which number is the day';
  return `${isTwo}. Write ${days.join(' or ')}`;
}

const inCapitals = (name: string): string => name[0]!.toUpperCase() + name.slice(1);

/**
 * The rule (`timing.ts`) for a text such as "every day at 9" or "every second Tuesday". `clocks`: local clock time, in
 * milliseconds as if in UTC, with which intervals begin. A refusal where no rule can say it. Undefined for other texts.
 */
export function readRecurring(text: string, clocks: number): { readonly rule: string } | Refusal | undefined {
  const read = translations(text)
    .map(readRepeat)
    .filter((repeat) => repeat !== undefined)
    .filter((repeat) => !('once' in repeat))
    .map((repeat) => ('refused' in repeat ? repeat : ruleOf(repeat, clocks)));
  return read.find((found) => 'rule' in found) ?? read[0];
}

const translations = (text: string): string[] =>
  languages.map((language) => translate(text, language)).filter((words) => words !== undefined);
