import { tokensOf, wordsOf } from '../tokens.ts';
import { fillerWords } from '../stop-words.ts';
import { isEnglish } from './is-english.ts';
import { lexiconOf, normalized, type Language, type Lexicon } from './lexicon.ts';

/** A word of a request in another language. */
export interface TranslatedWord {
  /** The English words that may be meant, and the word itself where some tool has it. */
  readonly forms: readonly string[];
  /** Neither a dictionary nor a tool has it: most often a name, or what a tool is to be used on. */
  readonly isStrange: boolean;
}

const scripts: readonly (readonly [RegExp, Language])[] = [
  [/[\u3040-\u30ff]/, 'ja'],
  [/[\u3400-\u4dbf\u4e00-\u9fff]/, 'zh'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Bengali}/u, 'bn'],
  [/\p{Script=Arabic}/u, 'ar'],
];
const inLatinLetters: readonly Language[] = ['de', 'fr', 'es', 'pt', 'id'];
const wordsAndRuns = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+|[\p{L}\p{M}\p{N}]+/gu;
const isRun = /^[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]/;
/** A word of so few letters that no dictionary has stands between others. */
const longestSmallWord = 3;

/**
 * A request in another language, word by word in English. Undefined for one in English, or of no known language.
 * `isKnown`: does some tool have the word?
 */
export function translate(
  text: string,
  isKnown: (word: string) => boolean,
): readonly TranslatedWord[] | undefined {
  const plain = normalized(text);
  const runs = plain.match(wordsAndRuns) ?? [];
  const language = scripts.find(([script]) => script.test(plain))?.[1];
  if (language && runs.filter(isEnglish).length > runs.length / 2) return undefined;
  const lexicons = language ? [lexiconOf(language)] : lexiconsFor(runs);
  if (lexicons.length === 0) return undefined;
  const words = runs.flatMap((run) => (isRun.test(run) ? lexicons[0]!.segmentsOf(run) : [run]));
  const translated: TranslatedWord[] = [];
  for (let at = 0; at < words.length;) {
    const word = words[at]!;
    const matches = lexicons.flatMap((lexicon) => lexicon.matchAt(words, at) ?? []);
    const english = [...new Set(matches.flatMap((match) => match.english))];
    const own = fillerWords.has(word) ? [] : tokensOf(word).filter(isKnown);
    if (english.length > 0 || own.length > 0)
      translated.push({ forms: [...new Set([...own, ...english])], isStrange: false });
    else if (word.length > longestSmallWord && !fillerWords.has(word))
      translated.push({ forms: [word], isStrange: true });
    at += Math.max(1, ...matches.map((match) => match.words));
  }
  const named = new Set(lexicons.flatMap((lexicon) => lexicon.toolsNamedIn(words, plain)));
  for (const name of named) {
    const tokens = wordsOf(name);
    if (tokens.every(isKnown))
      translated.push(...tokens.map((token) => ({ forms: [token], isStrange: false })));
  }
  return translated.length > 0 ? translated : undefined;
}

/** Words of several languages, English among them: they tell nothing of the language. */
const shared = new Set('a an do in no so'.split(' '));

/** Those of the languages in Latin letters that most words are of, if more are foreign than English. */
function lexiconsFor(words: readonly string[]): readonly Lexicon[] {
  const telling = words.filter((word) => !shared.has(word));
  const english = telling.filter((word) => isEnglish(word) && !fillerWords.has(word));
  // Before any dictionary is read: so it is for nearly every request in English.
  if (english.length * 2 >= telling.length) return [];
  const counted = inLatinLetters.map((language) => {
    const lexicon = lexiconOf(language);
    const known = words.filter((word, at) => !isEnglish(word) && lexicon.isWordAt(words, at)).length;
    return { lexicon, known };
  });
  const most = Math.max(...counted.map(({ known }) => known));
  const filling = telling.filter((word) => fillerWords.has(word) && !isEnglish(word)).length;
  if (most === 0 || most + filling <= english.length) return [];
  return counted.filter(({ known }) => known === most).map(({ lexicon }) => lexicon);
}
