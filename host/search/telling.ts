import { actionWords, fillerWords, ordinaryWords, requestWords } from './stop-words.ts';
import { tokensOf } from './tokens.ts';

const ofRequestWords = 0.4;
const ofOrdinaryWords = 0.4;
const ofFillerWords = 0.15;
/** Names of people and places, and numbers: arguments of the call more often than what the tool is about. */
export const ofArguments = 0.3;

/** A capital within a sentence. */
const names = /(?<=[\p{L}\d,'’)]\s)\p{Lu}\p{Ll}+/gu;

/** How much each word of a text says about what is wanted: 0 to 1. */
export function tellingOf(text: string): (token: string) => number {
  const named = new Set((text.match(names) ?? []).flatMap(tokensOf));
  return (token) => {
    if (requestWords.has(token)) return ofRequestWords;
    if (fillerWords.has(token)) return ofFillerWords;
    if (ordinaryWords.has(token)) return ofOrdinaryWords;
    return named.has(token) || /^\d+$/.test(token) ? ofArguments : 1;
  };
}

/** Is it about something? An action is not: it wants its object. */
export function isSubject(token: string): boolean {
  return !actionWords.has(token) && !requestWords.has(token) && !/^\d+$/.test(token);
}
