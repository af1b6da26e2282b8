import byLanguage from './stop-words.json' with { type: 'json' };

const setOf = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.join(' ').split(' '));

/** Words without a meaning of their own, by language, English first. */
export const stopWords: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(byLanguage).map(([language, lines]) => [language, setOf(lines)]),
);

/**
 * Stop words of other languages that have a meaning in English. A text is not taken for another language because of
 * these alone.
 */
export const alsoEnglish = setOf([
  'ad ai al as bin com come comment con dan de del den dia die dies do door dos dove era es eu ha hat hay her',
  'hun io la las los man me mes met mi mia most no of om on or par para pas per plus pour sea ser sin so sobre',
  'son sue sur te tes ti to ton tot un van vi want war was wen will worden yo',
]);
