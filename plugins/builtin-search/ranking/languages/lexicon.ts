import { dictionaryOf, type Dictionary, type Language } from './dictionary.ts';

/** The translation of the words at one position of a text. */
interface Match {
  readonly english: readonly string[];
  /** The number of words it covers. */
  readonly words: number;
}

/** Looks up the words of one language. */
export interface Lexicon {
  /** A word that is typed in part, as the last one of a query may be: "Dat". The shortest ones that begin so. */
  completed(word: string): Match | undefined;
  matchAt(words: readonly string[], at: number): Match | undefined;
  /** Whether it is a known word itself, not only a compound. */
  isWordAt(words: readonly string[], at: number): boolean;
  /**
   * Names of built-in tools with a phrase whose words are all in the text. A phrase within another one doesn't count.
   * `kinds`: what a request mentions by name, in English: "file".
   */
  toolsNamedIn(words: readonly string[], text: string, kinds: readonly string[]): readonly string[];
  /** Whether it is an everyday word, which says nothing about what is wanted. */
  isOrdinary(word: string): boolean;
  /** Whether a dictionary or the everyday words have exactly this form. */
  hasForm(word: string): boolean;
  /** Splits a text without spaces into its longest known words, and the rest between them. */
  segmentsOf(text: string): string[];
  /** How many letters of a text without spaces belong to known words. */
  lettersKnownOf(text: string): number;
}

interface Entry {
  readonly english: readonly string[];
  /** Beginnings of the words that must follow. */
  readonly following: readonly string[];
}

export const normalized = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u064b-\u0652\u0670]/g, '')
    .normalize('NFC');

const made = new Map<Language, Lexicon>();

/** Loaded on first use of the language. */
export function lexiconOf(language: Language): Lexicon {
  const known = made.get(language);
  if (known) return known;
  const lexicon = createLexicon(dictionaryOf(language));
  made.set(language, lexicon);
  return lexicon;
}

/** The first word for each English one. */
function firstWordsOf({ things }: Dictionary): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const [english, forms] of Object.entries(things)) {
    const [word] = english.split(' ');
    if (!words.has(word!)) words.set(word!, normalized(forms).split(' ')[0]!);
  }
  return words;
}

function entriesOf({ actions, things }: Dictionary): Map<string, Entry[]> {
  const entries = new Map<string, Entry[]>();
  for (const [words, forms] of [...Object.entries(actions), ...Object.entries(things)]) {
    const english = words.split(' ');
    for (const form of normalized(forms).split(' ')) {
      const [first = '', ...following] = form.split(/[_-]/);
      const others = entries.get(first);
      if (others) others.push({ english, following });
      else entries.set(first, [{ english, following }]);
    }
  }
  return entries;
}

interface Phrase {
  readonly tools: readonly string[];
  /** Beginnings of words, or parts of a text without spaces. */
  readonly words: readonly string[];
}

function phrasesOf({ ownTools }: Dictionary): Phrase[] {
  return Object.entries(ownTools).flatMap(([names, phrases]) => {
    const tools = names.split(' ');
    return normalized(phrases)
      .split(', ')
      .map((phrase) => ({ tools, words: phrase.split(' ') }));
  });
}

/** Whether a phrase contains another: "beobacht" is in "beobacht beend". */
function isWithin(phrase: Phrase, other: Phrase): boolean {
  return (
    other.words.length > phrase.words.length &&
    phrase.words.every((word) => other.words.some((one) => one.startsWith(word) || word.startsWith(one)))
  );
}

/** How many letters a word may have beyond its beginning in the table. */
const maxEndingLength = (length: number): number =>
  length < 3 ? 0 : length === 3 ? 2 : Math.min(5, length - 1);
const minCompoundLength = 8;
const minPartLength = 4;
/** Letters of a word that is typed in part. */
const minTypedLength = 2;
const maxCompletions = 2;
/** Endings and particles of Japanese. */
const isHiragana = /[\u3040-\u309f]/;

/** A text without spaces in words: the longest known ones, and what is between them. */
function segmented(text: string, isSegment: (part: string) => boolean, longest: number): string[] {
  const segments: string[] = [];
  let unknown = '';
  const endUnknown = (): void => {
    if (unknown !== '') segments.push(unknown);
    unknown = '';
  };
  for (let at = 0; at < text.length;) {
    let length = Math.min(longest, text.length - at);
    while (length > 0 && !isSegment(text.slice(at, at + length))) length--;
    if (length > 0) {
      endUnknown();
      segments.push(text.slice(at, at + length));
    } else if (isHiragana.test(text[at]!)) endUnknown();
    else unknown += text[at];
    at += Math.max(1, length);
  }
  endUnknown();
  return segments;
}

function createLexicon(dictionary: Dictionary): Lexicon {
  const { spaces: hasSpaces = true, lettersPerCharacter = 1 } = dictionary;
  const entries = entriesOf(dictionary);
  const phrases = phrasesOf(dictionary);
  const ordinary = new Set(normalized(dictionary.ordinary.join(' ')).split(' '));
  const wordFor = firstWordsOf(dictionary);
  const prefixes = dictionary.prefixes === undefined ? undefined : new RegExp(`^${dictionary.prefixes}`, 'u');
  const maxEntryLength = Math.max(...[...entries.keys(), ...ordinary].map(({ length }) => length));
  const endingAfter = (length: number): number => maxEndingLength(length * lettersPerCharacter);

  const beginsWith = (word: string | undefined, beginning: string): boolean =>
    word?.startsWith(beginning) === true && word.length - beginning.length <= endingAfter(beginning.length);
  const matchWord = (words: readonly string[], at: number, word: string): Match | undefined => {
    for (let length = word.length; length > 0; length--) {
      if (hasSpaces && word.length - length > endingAfter(length)) continue;
      if (!hasSpaces && length < word.length) break;
      const fitting = (entries.get(word.slice(0, length)) ?? []).filter(({ following }) =>
        following.every((beginning, more) => beginsWith(words[at + 1 + more], beginning)),
      );
      if (fitting.length === 0) continue;
      const maxFollowing = Math.max(...fitting.map(({ following }) => following.length));
      const best = fitting.filter(({ following }) => following.length === maxFollowing);
      return { english: best.flatMap(({ english }) => english), words: 1 + maxFollowing };
    }
    return undefined;
  };
  /** "liste" begins with "lis", which reads, and is a list: a longer form that means something else. */
  const meansOther = (word: string, part: string): boolean => {
    const english = entries.get(part)?.flatMap((entry) => entry.english);
    const match = english && matchWord([], 0, word);
    return match !== undefined && !match.english.some((each) => english!.includes(each));
  };
  const matchCompound = (word: string): Match | undefined => {
    for (let length = word.length - minPartLength; length >= minPartLength; length--) {
      const first = entries.get(word.slice(0, length))?.filter(({ following }) => following.length === 0);
      if (!first?.length) continue;
      // "Einkaufsliste": a letter or two may join the parts.
      for (const joint of [0, 1, 2]) {
        const last = matchWord([], 0, word.slice(length + joint));
        if (last) return { english: [...first.flatMap(({ english }) => english), ...last.english], words: 1 };
      }
    }
    return undefined;
  };

  const completed = (word: string): Match | undefined => {
    if (word.length < minTypedLength) return undefined;
    const begun = [...entries.entries()].filter(([entry]) => entry.startsWith(word));
    const english = begun
      .toSorted(([a], [b]) => a.length - b.length)
      .flatMap(([, all]) => all.filter(({ following }) => following.length === 0))
      .slice(0, maxCompletions)
      .flatMap((entry) => entry.english);
    return english.length === 0 ? undefined : { english, words: 1 };
  };

  const isSegment = (text: string): boolean => entries.has(text) || ordinary.has(text);

  const segmentsOf = (text: string): string[] => segmented(text, isSegment, maxEntryLength);

  return {
    completed,
    isOrdinary: (word) => ordinary.has(word),
    isWordAt: (words, at) => ordinary.has(words[at]!) || matchWord(words, at, words[at]!) !== undefined,
    matchAt(words, at) {
      const word = words[at]!;
      const whole = matchWord(words, at, word);
      if (ordinary.has(word)) return whole && whole.words > 1 ? whole : undefined;
      if (whole || !hasSpaces) return whole;
      if (prefixes) return matchWord(words, at, word.replace(prefixes, ''));
      return word.length >= minCompoundLength ? matchCompound(word) : undefined;
    },
    toolsNamedIn(words, text, kinds) {
      const mentioned = kinds.flatMap((kind) => wordFor.get(kind) ?? []);
      const all = [...words, ...mentioned];
      const isSaid = (word: string, part: string): boolean =>
        hasSpaces
          ? beginsWith(word, part) && !meansOther(word, part)
          : ordinary.has(word)
            ? word === part
            : word.startsWith(part);
      const has = (part: string): boolean =>
        all.some((word) => isSaid(word, part)) || (!hasSpaces && part.length > 1 && text.includes(part));
      const found = phrases.filter((phrase) => phrase.words.every(has));
      return found
        .filter((phrase) => !found.some((other) => isWithin(phrase, other)))
        .flatMap(({ tools }) => tools);
    },
    hasForm: isSegment,
    segmentsOf,
    lettersKnownOf: (text) =>
      segmentsOf(text).reduce((sum, segment) => sum + (isSegment(segment) ? segment.length : 0), 0),
  };
}
