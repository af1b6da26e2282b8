import type * as chrono from 'chrono-node';

/** A moment, or what the clocks of its time zone show then: as milliseconds since 1970 as if they showed UTC. */
export type NaturalDate = { readonly moment: number } | { readonly clocks: number };

/** English first: it is what models write. */
const languages = [
  'en',
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'nl',
  'ru',
  'uk',
  'sv',
  'fi',
  'ja',
  'zh',
  'vi',
] as const;
/** 5/6 is a day in May or in June, depending on who wrote it. */
const ambiguous = /(?<![\d:])\d{1,2}\/\d{1,2}(?![\d:])/;

/**
 * "in 2 months", "tomorrow at 9", "nächsten Freitag": only where every word of it is understood. `ahead`: milliseconds that
 * the clocks are ahead of UTC at `now`. Undefined for anything else.
 */
export async function readNaturalDate(
  text: string,
  now: number,
  ahead: number,
): Promise<NaturalDate | undefined> {
  if (ambiguous.test(text)) return undefined;
  const library = await import('chrono-node');
  // "20 minutes", "2h"
  const written = /^\d+(?:[.,]\d+)?\s*\p{L}+$/u.test(text) ? `in ${text}` : text;
  const there = { instant: new Date(now), timezone: ahead / 60_000 };
  for (const language of languages) {
    const found = whole(library[language], written, there);
    if (!found) continue;
    // So many hours or minutes from now, or with a time zone of its own.
    if (found.start.isCertain('timezoneOffset')) return { moment: found.date().getTime() };
    const clocks = whole(library[language], written, { instant: new Date(now + ahead), timezone: 0 });
    return clocks && { clocks: clocks.date().getTime() };
  }
  return undefined;
}

type Language = Pick<typeof chrono, 'parse'>;

/** What the whole text means, if it is one date and nothing else. */
function whole(
  language: Language,
  text: string,
  reference: chrono.ParsingReference,
): chrono.ParsedResult | undefined {
  const [found, ...others] = language.parse(text, reference, { forwardDate: true });
  return found && others.length === 0 && found.text.length === text.length && !found.end ? found : undefined;
}
