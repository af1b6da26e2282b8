import { askedGrams } from './grams.ts';
import { distinctiveWordsOf } from './distinctive-words.ts';
import { formsOf } from './word-forms.ts';

/** Nobody asks with more. */
const maxWords = 64;

/** Those words of a text that tell what it is about, once each; none where it has stop words alone. */
export const wordsOf = (text: string): readonly string[] => distinctiveWordsOf(text).slice(0, maxWords);

const writtenWithoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** What different words of one root end in, where a stemmer keeps them apart: "allergies" and "allergic". */
const ending = /(?<=.{5})(?:ically|ical|ies|ied|ing|ions?|ic|ed|es|s|y|e)$/;

/** What full text cannot find is looked for by: the beginning of a word, pairs of characters. Three letters of Latin are part of too much. */
export function partsOf(word: string): readonly string[] {
  const characters = Array.from(word);
  if (!writtenWithoutSpaces.test(word)) return characters.length >= 4 ? [word.replace(ending, '')] : [];
  if (characters.length === 1) return [word];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** What FTS5 is asked for: any of the words in any form, or pairs of characters. Undefined when there is no telling word. */
export function toMatch(text: string): string | undefined {
  const words = wordsOf(text);
  if (words.length === 0) return undefined;
  return anyOf([...new Set([...words.flatMap(formsOf), ...askedGrams(text).slice(0, maxWords)])]);
}

/** Quoted, so that nothing in a word is an operator. */
export const anyOf = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(' OR ');

/** A text as it is compared: lower case, accents and punctuation left out. */
export function normalized(text: string): string {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ');
}

/** Tokens, as the host counts them everywhere: a quarter of the characters. */
export const tokensOf = (text: string): number => Math.ceil(text.length / 4);
