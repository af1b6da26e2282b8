import { actionWords, fillerWords, ordinaryWords, requestWords } from './stop-words.ts';
import { tokensOf } from '../index/tokens.ts';

/** Words that ask, and everyday words. */
export const ordinaryWordWeight = 0.4;
const fillerWordWeight = 0.15;
/** Names of people and places, and numbers: usually arguments of the call, not the subject of the tool. */
export const argumentWeight = 0.3;

/** A capital letter within a sentence. */
const names = /(?<=[\p{L}\d,'’)]\s)\p{Lu}\p{Ll}+/gu;

/** How much a word by itself says about what is wanted: 0 to 1. */
export function wordWeight(token: string): number {
  if (requestWords.has(token)) return ordinaryWordWeight;
  if (fillerWords.has(token)) return fillerWordWeight;
  return ordinaryWords.has(token) ? ordinaryWordWeight : 1;
}

/** The words of a text that are written like names of people and places. */
export const namesIn = (text: string): ReadonlySet<string> =>
  new Set((text.match(names) ?? []).flatMap(tokensOf));

/** How much each word of a text says about what is wanted: 0 to 1. */
export function termWeight(text: string): (token: string) => number {
  const named = namesIn(text);
  return (token) => {
    const telling = wordWeight(token);
    return telling === 1 && (named.has(token) || /^\d+$/.test(token)) ? argumentWeight : telling;
  };
}

/** Whether it names a subject. Actions don't. */
export function isSubject(token: string): boolean {
  return !actionWords.has(token) && !requestWords.has(token) && !/^\d+$/.test(token);
}
