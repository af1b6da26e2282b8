import { requestWords, stopWords } from './stop-words.ts';
import { tokensOf } from '../index/tokens.ts';

const ends = /(?<=[.!?;])\s+|\n+|(?<=[。！？；])/;
const maxSentences = 12;
const minWords = 2;

/** The meaningful sentences of a request, if it has several: it asks for several things, or gives background first. */
export function sentencesOf(text: string): string[] {
  const sentences = text
    .split(ends)
    .map((part) => part.trim())
    .filter((part) => tokensOf(part).filter(saysSomething).length >= minWords)
    .slice(0, maxSentences);
  return sentences.length > 1 ? sentences : [];
}

const saysSomething = (word: string): boolean => !stopWords.has(word) && !requestWords.has(word);
