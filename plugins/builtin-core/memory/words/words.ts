import { askedGrams } from './grams.ts';
import { distinctiveWordsOf } from './distinctive-words.ts';
import { formsOf } from './word-forms.ts';

/** More words than any real query has. */
const maxWords = 64;

/** The words that say what a text is about, each once. Empty if it consists of stop words. */
export const wordsOf = (text: string): readonly string[] => distinctiveWordsOf(text).slice(0, maxWords);

const writtenWithoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Endings of different words with one root that a stemmer keeps apart: "allergies" and "allergic". */
const ending = /(?<=.{5})(?:ically|ical|ies|ied|ing|ions?|ic|ed|es|s|y|e)$/;

/**
 * Search keys for what full text can't find: the beginning of a word, and pairs of characters. Three Latin letters
 * would match too much.
 */
export function partsOf(word: string): readonly string[] {
  const characters = Array.from(word);
  if (!writtenWithoutSpaces.test(word)) return characters.length >= 4 ? [word.replace(ending, '')] : [];
  if (characters.length === 1) return [word];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** What a text is found by: its words in any form, or pairs of characters. Empty when there are no significant words. */
export function askedWordsOf(text: string): readonly string[] {
  const words = wordsOf(text);
  if (words.length === 0) return [];
  return [...new Set([...words.flatMap(formsOf), ...askedGrams(text).slice(0, maxWords)])];
}

/** The FTS5 query for any of the words. Quoted, so that nothing in a word is an operator. */
export const anyOf = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(' OR ');

/** A text normalized for comparison: lower case, without accents and punctuation. */
export function normalized(text: string): string {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ');
}

/** An estimate of tokens as used everywhere in the host: a quarter of the characters. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4);
