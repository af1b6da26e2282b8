import { nearest } from 'pegboard/channels';
import { readNaturalDate, readRecurring } from './natural-date.ts';
import { months, weekdays } from './words/language.ts';
import { english } from './words/languages.ts';

/** The words of English times that are worth spelling right. */
const vocabulary: ReadonlySet<string> = new Set([
  ...'today tomorrow yesterday tonight noon midnight morning afternoon evening night next last this'.split(
    ' ',
  ),
  ...'every each other daily hourly weekly monthly yearly quarterly weekday weekend half quarter past and after between except first second third fourth fifth'.split(
    ' ',
  ),
  ...'in at on the a an of to through until till am pm oclock st nd rd th now later ago from'.split(' '),
  ...weekdays,
  ...months,
  ...english.weekdays.flatMap((names) => names.split(' ')),
  ...english.months.flatMap((names) => names.split(' ')),
  ...Object.values(english.units).flatMap((names) => names.split(' ')),
  ...english.numbers,
]);

/** No time ends with one of these: what follows is already the text. */
const connecting = /^(?:in|at|on|the|of|from|and|now)$/i;
/** Longer texts are no times. */
const maxWords = 12;

/** Whether it is a moment or a recurring time in words. */
async function isTime(text: string, now: number): Promise<boolean> {
  const recurring = readRecurring(text, now);
  if (recurring) return 'rule' in recurring;
  const date = await readNaturalDate(text, now, 0);
  return date !== undefined && !('refused' in date);
}

/** The text with its words spelled right. Undefined where that makes no time of it. */
export async function suggestTime(text: string, now: number): Promise<string | undefined> {
  const words = text.split(/\s+/);
  if (words.length > maxWords) return undefined;
  const corrected = words.map(corrections).join(' ');
  return corrected !== text && (await isTime(corrected, now)) ? corrected : undefined;
}

/** The end of a sentence about a text that could not be read: the time that was probably meant, else what is `possible`. */
export async function explainUnread(text: string, now: number, possible: string): Promise<string> {
  const meant = await suggestTime(text, now);
  if (meant !== undefined) return `. Did you mean "${meant}"?`;
  const unknown = unknownWordIn(text);
  return `${unknown === undefined ? '' : `: the word "${unknown}" is not understood there`}. ${possible}`;
}

/** The first word that no English time has. Undefined where none is known: the text is in another language, or no time. */
function unknownWordIn(text: string): string | undefined {
  const words = text.toLowerCase().match(/[\p{L}']{2,}/gu) ?? [];
  const isKnown = (word: string): boolean => vocabulary.has(word) || vocabulary.has(word.replace(/s$/, ''));
  return words.some((word) => isKnown(word) && word.length > 2)
    ? words.find((word) => !isKnown(word))
    : undefined;
}

function corrections(word: string): string {
  if (!/^[a-z]{3,}$/i.test(word) || vocabulary.has(word.toLowerCase())) return word;
  const [meant = word] = nearest(word, vocabulary);
  // "biweekly" is no "weekly" with a mistake: what stands before changes the meaning.
  return word.length > meant.length + 1 && word.endsWith(meant) ? word : meant;
}

/**
 * How many of the words, of which the first was taken for the time, make a time together: "tomorrow at 9 call" is three,
 * and the time itself. Undefined where the first is all of it. Words that were in quotes are no part of it.
 */
export async function timeInWords(
  words: readonly string[],
  now: number,
): Promise<{ readonly time: string; readonly length: number } | undefined> {
  const quoted = words.findIndex((word) => /\s/.test(word));
  const last = Math.min(words.length - 1, maxWords, quoted === -1 ? words.length : quoted);
  const isReadable = await isTime(words[0]!, now);
  for (let length = last; length > 1; length--) {
    if (connecting.test(words[length - 1]!)) continue;
    const text = words.slice(0, length).join(' ');
    const isWhole = await isTime(text, now);
    const time = isWhole ? text : isReadable ? undefined : await suggestTime(text, now);
    if (time !== undefined) return { time, length };
  }
  return undefined;
}
