import { fields, headlineOf, type SearchedTool } from './fields.ts';
import { gramsOf } from './grams.ts';
import { stem } from './stem.ts';
import { isCjk, wordsOf } from './tokens.ts';

/** How soon repetition stops to count (BM25's k1). */
const saturation = 1.2;

/**
 * The words and word pairs of a tool, each with what it adds to the score of a query that has it, before the word's
 * rarity (BM25F: Robertson, Zaragoza and Taylor, 2004). A pair is two stems with a space between.
 */
export function termsOf(tool: SearchedTool): Map<string, number> {
  const terms = new Map<string, number>();
  const add = (term: string, weight: number): void => void terms.set(term, (terms.get(term) ?? 0) + weight);
  for (const { weight, b, usualWords, pairs, joins, textOf } of fields) {
    const tokens = wordsOf(textOf(tool)).words;
    const words = tokens.map(stem);
    const each = weight / (1 - b + (b * words.length) / usualWords);
    words.forEach((word, at) => {
      add(word, each);
      if (pairs && at > 0 && !isCjk(word)) add(pairOf(words[at - 1]!, word), each);
      if (joins && at > 0 && !isCjk(word)) add(stem(tokens[at - 1]! + tokens[at]!), each * 0.5);
    });
  }
  for (const [term, weight] of terms) {
    terms.set(term, (weight * (saturation + 1)) / (saturation + weight));
  }
  return terms;
}

/** The letter groups of what tells a tool apart, with how often they occur, damped. */
export function gramTermsOf(tool: SearchedTool): Map<string, number> {
  const grams = gramsOf(headlineOf(tool));
  for (const [gram, times] of grams) grams.set(gram, 1 + Math.log(times));
  return grams;
}

export const pairOf = (first: string, second: string): string => `${first} ${second}`;
