/** How a language expresses moments: a file of languages/. Alternatives are separated by spaces, in lower case. */
export interface Language {
  /** For 1, 2, 3 and so on. */
  readonly numbers: readonly string[];
  /** Starting with Monday. */
  readonly weekdays: readonly string[];
  /** Starting with January. None: they are among the phrases. */
  readonly months: readonly string[];
  readonly units: Readonly<Record<Unit, string>>;
  /**
   * Phrases that can't be translated word for word, applied in order before words are looked up: a pattern, and its
   * replacement in the vocabulary of `read-phrase.ts`. "_" stands for spaces. A pattern matches whole words unless
   * `joins` is set.
   */
  readonly phrases: Readonly<Record<string, string>>;
  /** Words that aren't in its lists are kept. */
  readonly isEnglish?: boolean;
  /** The language is written without spaces. */
  readonly joins?: boolean;
}

export const units = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;
export type Unit = (typeof units)[number];
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
export const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

const wordBegin = String.raw`(?<!\p{L}(?=\p{L}))(?<!\d(?=\d))`;
const wordEnd = String.raw`(?!(?<=\p{L})\p{L})(?!(?<=\d)\d)`;

/** Puts `meaning` where `pattern` matches, which it does nowhere in a text without `part`. */
interface Rule {
  readonly part: string;
  readonly pattern: RegExp;
  readonly meaning: string;
}

/** Compiling takes longer than a translation. */
const compiled = new WeakMap<Language, readonly Rule[]>();

/** `text` in the English vocabulary of `read-phrase.ts`. Undefined when one of its words has no counterpart. */
export function translate(text: string, language: Language): string | undefined {
  const { joins = false, isEnglish = false } = language;
  let phrase = ` ${text.toLowerCase().normalize('NFKC').replaceAll('’', "'")} `;
  const rules = compiled.get(language) ?? compile(language);
  for (const { part, pattern, meaning } of rules)
    if (phrase.includes(part)) phrase = phrase.replaceAll(pattern, meaning);
  if (joins) phrase = phrase.replaceAll(/[一二两兩三四五六七八九十〇]+/g, (digits) => ` ${readHan(digits)} `);
  // Translated words are in upper case by now.
  if (!isEnglish && /[\p{Ll}\p{Lo}]/u.test(phrase)) return undefined;
  return phrase.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

function compile(language: Language): readonly Rule[] {
  const { phrases, joins = false } = language;
  const ruleOf = (written: string, meaning: string): Rule => {
    const whole = `(?:${written.replaceAll('_?', String.raw`\s*`).replaceAll('_', String.raw`\s+`)})`;
    const source = joins ? whole : `${wordBegin}${whole}${wordEnd}`;
    // The letters that every match begins with.
    const part = written.includes('|') ? '' : /^\p{L}*(?![?*{])/u.exec(written)![0];
    return { part, pattern: new RegExp(source, 'gu'), meaning: ` ${meaning.toUpperCase()} ` };
  };
  const lists = [
    [language.weekdays, weekdays],
    [language.months, months],
    [units.map((unit) => language.units[unit]), units],
    [language.numbers, language.numbers.map((_, index) => String(index + 1))],
  ] as const;
  const words = lists.flatMap(([own, meant]) =>
    own.flatMap((alternatives, index) =>
      alternatives
        .split(' ')
        .filter((word) => word !== '')
        // "十一月" before "一月": the longer word contains the shorter one.
        .toSorted((a, b) => b.length - a.length)
        .map((word) => ruleOf(word.replaceAll('.', String.raw`\.`), meant[index]!)),
    ),
  );
  const rules = [...Object.entries(phrases).map(([pattern, meaning]) => ruleOf(pattern, meaning)), ...words];
  compiled.set(language, rules);
  return rules;
}

/** 三十五 is 35. */
function readHan(digits: string): string {
  const value = (digit = '〇'): number => '〇一二三四五六七八九'.indexOf(/[两兩]/.test(digit) ? '二' : digit);
  if (!digits.includes('十')) return digits.replaceAll(/./g, (digit) => String(value(digit)));
  const [tens = '', ones = ''] = digits.split('十');
  return String((tens === '' ? 1 : value(tens)) * 10 + (ones === '' ? 0 : value(ones)));
}
