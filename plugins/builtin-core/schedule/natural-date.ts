import { toJson } from 'pegboard';
import { chinese, japanese, vietnamese } from './words/asian.ts';
import { months, translate } from './words/language.ts';
import { finnish, swedish } from './words/nordic.ts';
import { readEnglish } from './words/read-english.ts';
import { readPhrase, type PhraseDate, type Refusal } from './words/read-phrase.ts';
import { readRepeat, uncountable } from './words/read-repeat.ts';
import { french, italian, portuguese, spanish } from './words/romance.ts';
import { russian, ukrainian } from './words/slavic.ts';
import { dutch, english, german } from './words/western.ts';

const languages = [
  english,
  german,
  french,
  spanish,
  portuguese,
  italian,
  dutch,
  russian,
  ukrainian,
  swedish,
  finnish,
  japanese,
  chinese,
  vietnamese,
];
/** 5/6 is a day in May or in June, depending on who wrote it. */
const ambiguous = /(?<![\d:])(\d{1,2})\/(\d{1,2})(?![\d:])/;

/** The library misses some of these. */
const partsOfDay = /\b(?:tonight|morning|afternoon|evening|night|noon|midnight|half|quarter)\b/i;

/**
 * Reads "in 2 months", "tomorrow at 9" or "nächsten Freitag", provided that every word is understood and all languages
 * that understand it agree. `ahead`: milliseconds by which clocks are ahead of UTC at `now`. Returns a refusal for days
 * that don't exist or are ambiguous and for intervals that no schedule can have, and undefined for other texts.
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
  const [uneven] = translated.flatMap((words) => uncountable(words) ?? []);
  if (uneven !== undefined) return { refused: uneven };
  const read = translated.map((words) => readPhrase(words, there));
  const found = new Map(
    read.filter((date) => date !== undefined && date !== 'unclear').map((date) => [toJson(date), date]),
  );
  if (found.size === 1) return [...found.values()][0];
  if (found.size > 1 || read.includes('unclear') || partsOfDay.test(text)) return undefined;
  return await readEnglish(text, now, ahead);
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

/** The cron expression for a text such as "every day at 9". Undefined for other texts. */
export const cronOf = (text: string): string | undefined =>
  translations(text)
    .map(readRepeat)
    .find((cron) => cron !== undefined);

const translations = (text: string): string[] =>
  languages.map((language) => translate(text, language)).filter((words) => words !== undefined);
