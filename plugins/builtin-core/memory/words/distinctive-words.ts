import { alsoEnglish, stopWords } from './stop-words.ts';

const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;
const writtenWithoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** A capitalized word within a sentence: "Who is Will?" */
const names = /(?<=[^.!?\s]\s+)\p{Lu}\p{Ll}+/gu;

/**
 * The words that distinguish a text, in lower case, each once. Empty if it consists of stop words. A word counts as
 * English or as the language of most words.
 */
export function distinctiveWordsOf(text: string): readonly string[] {
  const written = text.normalize('NFC').match(wordPattern) ?? [];
  const words = [...new Set(written.map((word) => word.toLowerCase()))];
  const language = languageOf(words);
  const isStopWord = (word: string): boolean =>
    stopWords['en']!.has(word) || stopWords[language]!.has(word) || isMadeOfParticles(word);
  // German capitalizes some pronouns as well.
  const named = language === 'en' ? (text.match(names) ?? []).map((name) => name.toLowerCase()) : [];
  return words.filter((word) => named.includes(word) || !isStopWord(word));
}

/** The language with the most stop words among them; English if tied. */
function languageOf(words: readonly string[]): string {
  let best = 'en';
  let maxWeight = 0;
  for (const [language, own] of Object.entries(stopWords)) {
    const count = words.filter(
      (word) => own.has(word) && (language === 'en' || !alsoEnglish.has(word)),
    ).length;
    if (count > maxWeight) [best, maxWeight] = [language, count];
  }
  return best;
}

const particles = new RegExp(
  [...stopWords['ja']!, ...stopWords['zh']!].sort((a, b) => b.length - a.length).join('|'),
  'gu',
);

/** Chinese and Japanese have no spaces: a run that consists of such words. */
const isMadeOfParticles = (word: string): boolean =>
  writtenWithoutSpaces.test(word) && word.replaceAll(particles, '') === '';
