import { memoize } from '../ranking/memoize.ts';
import { requestWords, stopWords } from '../ranking/stop-words.ts';
import { isCjk, tokensOf } from './tokens.ts';

const length = 4;

/** The 4-grams of a text's words, including their boundaries, with their counts. */
export function gramsOf(text: string): Map<string, number> {
  const grams = new Map<string, number>();
  for (const word of tokensOf(text)) {
    for (const gram of gramsOfWord(word)) grams.set(gram, (grams.get(gram) ?? 0) + 1);
  }
  return grams;
}

const gramsOfWord = memoize((word): readonly string[] => {
  if (stopWords.has(word) || requestWords.has(word) || isCjk(word)) return [];
  const bounded = ` ${word} `;
  return Array.from({ length: bounded.length - length + 1 }, (_, at) => bounded.slice(at, at + length));
});
