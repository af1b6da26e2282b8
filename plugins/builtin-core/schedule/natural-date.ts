import type * as chrono from 'chrono-node';
import { toJson } from 'pegboard';
import { chinese, japanese, vietnamese } from './words/asian.ts';
import { translate } from './words/language.ts';
import { finnish, swedish } from './words/nordic.ts';
import { readPhrase, type PhraseDate } from './words/read-phrase.ts';
import { readRepeat } from './words/read-repeat.ts';
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
const ambiguous = /(?<![\d:])\d{1,2}\/\d{1,2}(?![\d:])/;

/** The library overlooks some of these. */
const partsOfDay = /\b(?:tonight|morning|afternoon|evening|night|noon|midnight|half|quarter)\b/i;

/**
 * "in 2 months", "tomorrow at 9", "nächsten Freitag": only where every word of it is understood, and all languages that
 * understand it mean the same. `ahead`: milliseconds that the clocks are ahead of UTC at `now`. Undefined for anything else.
 */
export async function readNaturalDate(
  text: string,
  now: number,
  ahead: number,
): Promise<PhraseDate | undefined> {
  if (ambiguous.test(text)) return undefined;
  const there = { moment: now, clocks: now + ahead };
  const read = translations(text).map((words) => readPhrase(words, there));
  const found = new Map(
    read.filter((date) => date !== undefined && date !== 'unclear').map((date) => [toJson(date), date]),
  );
  if (found.size === 1) return [...found.values()][0];
  if (found.size > 1 || read.includes('unclear') || partsOfDay.test(text)) return undefined;
  return await readEnglish(text, now, ahead);
}

/** The cron expression that a text like "every day at 9" means; undefined for any other text. */
export const cronOf = (text: string): string | undefined =>
  translations(text)
    .map(readRepeat)
    .find((cron) => cron !== undefined);

const translations = (text: string): string[] =>
  languages.map((language) => translate(text, language)).filter((words) => words !== undefined);

/** What English has beyond everyday phrases: time zones, seconds, "the end of the month". */
async function readEnglish(text: string, now: number, ahead: number): Promise<PhraseDate | undefined> {
  const { en } = await import('chrono-node');
  // "90 sec"
  const written = /^\d+(?:[.,]\d+)?\s*\p{L}+$/u.test(text) ? `in ${text}` : text;
  const found = whole(en, written, { instant: new Date(now), timezone: ahead / 60_000 });
  if (!found) return undefined;
  const isTimed = found.start.isCertain('hour');
  // So many hours or minutes from now, or with a time zone of its own.
  if (found.start.isCertain('timezoneOffset')) return { moment: found.date().getTime(), isTimed };
  const clocks = whole(en, written, { instant: new Date(now + ahead), timezone: 0 });
  return clocks && { clocks: clocks.date().getTime(), isTimed };
}

/** What the whole text means, if it is one date and nothing else. */
function whole(
  language: Pick<typeof chrono, 'parse'>,
  text: string,
  reference: chrono.ParsingReference,
): chrono.ParsedResult | undefined {
  const [found, ...others] = language.parse(text, reference, { forwardDate: true });
  return found && others.length === 0 && found.text.length === text.length && !found.end ? found : undefined;
}
