import type * as chrono from 'chrono-node';
import { months } from './language.ts';
import type { PhraseDate } from './read-phrase.ts';

const short = (names: readonly string[]): string =>
  names.map((name) => `${name.slice(0, 3)}|${name}`).join('|');
const number = String.raw`(?:\d+(?:[.,]\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half an?|an? few|an? couple(?: of)?)`;
const unit = '(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|quarters?|years?)';
const length = `${number} ?${unit}(?:(?:,? and|,)? ${number} ?${unit})*`;
const nth = '(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)';
const month = `(?:${short(months)}|sept)\\.?`;
const dayOfMonth = String.raw`(?:${nth}|\d{1,2}(?:st|nd|rd|th)?)`;
const date = String.raw`(?:(?:the )?${dayOfMonth} (?:of )?${month}|${month} (?:the )?${dayOfMonth})(?:,? \d{4})?`;
const weekdays = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday';
const day = String.raw`(?:(?:on )?(?:${date}|\d{4}-\d\d-\d\d|${short(weekdays.split('|'))})|today|tomorrow|yesterday)`;
const monthEnd = `(?:the )?(?:end|last day) of (?:the |this |next )?(?:month|${months.join('|')})`;
const clock = String.raw`(?:at \d{1,2}|(?:at )?\d{1,2}(?=:\d| ?[ap]\.?m))(?::\d\d(?::\d\d)?)? ?(?:[ap]m|[ap]\.m\.)?`;
const zone = String.raw`(?: ?\(?(?:z|[a-z]{3,5})\)?| ?(?:utc|gmt)?[+-]\d{1,2}(?::?\d\d)?)`;
const time = `${clock}${zone}?`;

/** A duration from now, or before now. */
const counted = new RegExp(
  String.raw`^(?:\+ ?|(?:in|after) )?${length}(?: (?:later|from now|ago|earlier))?$`,
);
/** The only forms passed to the library, because it misreads many others. */
const shapes = [
  counted,
  new RegExp(`^(?:${day}|${monthEnd})(?:,? ${time})?$`),
  new RegExp(`^${time}(?:,? ${day})?$`),
  /^now$/,
];

/** Reads English beyond everyday phrases: time zones, seconds, "the first of June". `ahead` as in readNaturalDate. */
export async function readEnglish(text: string, now: number, ahead: number): Promise<PhraseDate | undefined> {
  const phrase = text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
  if (!shapes.some((shape) => shape.test(phrase))) return undefined;
  const { en } = await import('chrono-node');
  // "90 sec"
  const written = /^\d+(?:[.,]\d+)?\s*\p{L}+$/u.test(phrase) ? `in ${phrase}` : phrase;
  const found = whole(en, written, { instant: new Date(now), timezone: ahead / 60_000 });
  if (!found) return undefined;
  const isTimed = counted.test(phrase) || found.start.isCertain('hour');
  // A number of hours or minutes from now, or a time with its own time zone.
  if (found.start.isCertain('timezoneOffset')) return { moment: found.date().getTime() };
  const clocks = whole(en, written, { instant: new Date(now + ahead), timezone: 0 });
  return clocks && { clocks: clocks.date().getTime(), ...(!isTimed && { assumed: 'noon' }) };
}

/** The result for the whole text, if it is a single date and nothing else. */
function whole(
  language: Pick<typeof chrono, 'parse'>,
  text: string,
  reference: chrono.ParsingReference,
): chrono.ParsedResult | undefined {
  const [found, ...others] = language.parse(text, reference, { forwardDate: true });
  return found && others.length === 0 && found.text.length === text.length && !found.end ? found : undefined;
}
