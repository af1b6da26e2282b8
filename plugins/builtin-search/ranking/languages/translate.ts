import { tokensOf, wordsOf } from '../../index/tokens.ts';
import { actionWords, fillerWords, stopWords } from '../stop-words.ts';
import { isEnglish, isOrdinaryEnglish } from './is-english.ts';
import { namesIn } from '../term-weight.ts';
import { dictionaries, dictionaryOf, type Language } from './dictionary.ts';
import { lexiconOf, normalized, type Lexicon } from './lexicon.ts';

/** A word of a request in another language. */
export interface TranslatedWord {
  /** The English words that may be meant, and the word itself if some tool has it. */
  readonly forms: readonly string[];
  /**
   * No dictionary has it, and it is written like a name or no tool has it: usually a name, or the object of the action.
   */
  readonly isStrange: boolean;
  /** It is part of the name of a built-in tool that a phrase asks for: it counts as evidence, not in the ranking. */
  readonly isNamed?: true;
}

const languages = Object.keys(dictionaries) as Language[];
const inLatinLetters = languages.filter((language) => dictionaryOf(language).script === undefined);
const scripts = languages.flatMap((language) => {
  const { script } = dictionaryOf(language);
  return script === undefined ? [] : [[new RegExp(script, 'u'), language] as const];
});
const wordsAndRuns =
  /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+|(?:(?![\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff])[\p{L}\p{M}\p{N}])+/gu;
const isRun = /^[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]/;
/** Unknown words of at most this many letters are ignored as function words; in Chinese, single characters. */
const maxSmallWordLength = 3;
const maxSmallRunLength = 1;

/** A request in another language. */
export interface Translation {
  /** The words in English, without everyday words. May be empty. */
  readonly words: readonly TranslatedWord[];
  /** Names of built-in tools that its phrases ask for. */
  readonly tools: readonly string[];
}

/**
 * Undefined for a request in English or an unknown language. `isKnown`: whether some tool has the word. `kinds`: what the
 * request also mentions by name, in English: "file". `isBegun`: whether a tool has a word that begins so: "datab" alone is
 * more likely the beginning of a database than a form of a foreign word.
 */
export function translate(
  text: string,
  isKnown: (word: string) => boolean,
  kinds: readonly string[] = [],
  isBegun: (word: string) => boolean = () => false,
): Translation | undefined {
  const plain = normalized(text);
  const runs = plain.match(wordsAndRuns) ?? [];
  const written = scripts.filter(([script]) => script.test(plain)).map(([, language]) => lexiconOf(language));
  if (written.length > 0 && isMostlyEnglish(runs)) return undefined;
  const lexicons = written.length > 0 ? [knowingMost(written, runs)] : lexiconsFor(runs, isBegun);
  if (lexicons.length === 0) return undefined;
  const words = runs.flatMap((run) => (isRun.test(run) ? lexicons[0]!.segmentsOf(run) : [run]));
  const saysNothing = (word: string): boolean =>
    fillerWords.has(word) || lexicons.some((lexicon) => lexicon.isOrdinary(word));
  const names = namesIn(text);
  const translated: TranslatedWord[] = [];
  for (let at = 0; at < words.length;) {
    const word = words[at]!;
    const matches = lexicons.flatMap((lexicon) => lexicon.matchAt(words, at) ?? []);
    if (matches.length === 0 && at === words.length - 1 && !isEnglish(word))
      matches.push(...lexicons.flatMap((lexicon) => lexicon.completed(word) ?? []));
    const english = [...new Set(matches.flatMap((match) => match.english))].filter(
      (form, _, forms) => !stopWords.has(form) || forms.every((each) => stopWords.has(each)),
    );
    const own = saysNothing(word) ? [] : tokensOf(word).filter(isKnown);
    const maxSmallLength = isRun.test(word) ? maxSmallRunLength : maxSmallWordLength;
    if (english.length > 0) translated.push({ forms: [...new Set([...own, ...english])], isStrange: false });
    else if (own.length > 0)
      translated.push(...own.map((token) => ({ forms: [token], isStrange: names.has(token) })));
    else if (word.length > maxSmallLength && !saysNothing(word))
      translated.push({ forms: [word], isStrange: true });
    at += Math.max(1, ...matches.map((match) => match.words));
  }
  const tools = [...new Set(lexicons.flatMap((lexicon) => lexicon.toolsNamedIn(words, plain, kinds)))];
  for (const name of tools) {
    const tokens = wordsOf(name);
    if (tokens.every(isKnown))
      translated.push(
        ...tokens.map((token) => ({ forms: [token], isStrange: false, isNamed: true as const })),
      );
  }
  return { words: translated, tools };
}

/** The language that knows most of the text: Chinese and Japanese share characters. */
function knowingMost(lexicons: readonly Lexicon[], runs: readonly string[]): Lexicon {
  const [first, ...others] = lexicons;
  const known = (lexicon: Lexicon): number =>
    runs.reduce((sum, run) => sum + (isRun.test(run) ? lexicon.lettersKnownOf(run) : 0), 0);
  return others.reduce((best, lexicon) => (known(lexicon) > known(best) ? lexicon : best), first!);
}

/** A text without spaces has nearly as many words as characters. */
function isMostlyEnglish(runs: readonly string[]): boolean {
  const english = runs.filter(isEnglish).length;
  const others = runs.reduce((sum, run) => sum + (isRun.test(run) ? run.length : isEnglish(run) ? 0 : 1), 0);
  return english > others;
}

/** Words of several languages, including English, say nothing about the language. */
const shared = new Set('a an do in no so'.split(' '));

/** Everyday words count double as evidence of the language: names of tools are often international. */
const ofOrdinaryWords = 2;

/** The Latin-script languages that most words belong to, if more words are foreign than English. */
function lexiconsFor(words: readonly string[], isBegun: (word: string) => boolean): readonly Lexicon[] {
  const telling = words.filter((word) => !shared.has(word) && !/^\d+$/.test(word));
  const english = telling.filter((word) => isEnglish(word) && !fillerWords.has(word));
  // The fast path of nearly every English request, before any dictionary is loaded.
  if (english.length * 3 > telling.length * 2) return [];
  const counted = inLatinLetters.map((language) => {
    const lexicon = lexiconOf(language);
    const has = (word: string): boolean => lexicon.isWordAt(telling, telling.indexOf(word));
    const ordinary = telling.filter((word) => lexicon.isOrdinary(word)).length;
    // A compound is a word of its language, too: "Wetterbericht".
    const known = telling.filter(
      (word) =>
        !lexicon.isOrdinary(word) &&
        !isEnglish(word) &&
        (words.length > 1 || lexicon.hasForm(word) || !isBegun(word)) &&
        (has(word) || lexicon.matchAt([word], 0) !== undefined),
    );
    const acts = known.some(
      (word) => lexicon.matchAt([word], 0)?.english.some((form) => actionWords.has(form)) ?? false,
    );
    // "file" is also Italian: next to an Italian verb it is no evidence of English.
    const against = english.reduce(
      (sum, word) => sum + (isOrdinaryEnglish(word) ? ofOrdinaryWords : acts && has(word) ? 0 : 1),
      0,
    );
    const speaks = ordinary + known.length < 2 ? known.length : ofOrdinaryWords * ordinary + known.length;
    return { lexicon, speaks: speaks > against ? speaks : 0 };
  });
  const maxSpoken = Math.max(...counted.map(({ speaks }) => speaks));
  return maxSpoken === 0
    ? []
    : counted.filter(({ speaks }) => speaks === maxSpoken).map(({ lexicon }) => lexicon);
}
