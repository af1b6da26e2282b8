import { stemmer } from 'stemmer';
import { askedGrams } from './grams.ts';
import { answersTo } from './kinds-of-things.ts';
import { ordinaryWords } from './ordinary-words.ts';
import { formsOf } from './word-forms.ts';
import { normalized, partsOf, wordsOf } from './words.ts';

/** What a word tells of the matter: names most, words that fit everything little. */
const weights = { name: 2, specific: 1, ordinary: 0.35 } as const;
/** Of the question's weight; or so much of it, as in a list of words of which any would do. Measured by bench/memory. */
const minShare = 0.5;
const minWeight = 2;
/** A shorter part is in too many words. */
const minPartLength = 5;

/** Whether a text has enough of a question's words. Those that no text has count as well: of "the warranty of the camera" a text about a camera has half. */
export interface Fit {
  isEnough(text: string): boolean;
}

export function fitOf(question: string): Fit {
  // Pairs of characters say too little, one by one, to be counted like words.
  if (askedGrams(question).length > 0) return { isEnough: () => true };
  const names = new Set(
    (question.match(/(?<=[^.!?\s]\s+)\p{Lu}[\p{L}\p{N}]+/gu) ?? []).map((name) => name.toLowerCase()),
  );
  const words = wordsOf(question).map((word) => ({
    weight: names.has(word) ? weights.name : isOrdinary(word) ? weights.ordinary : weights.specific,
    stems: [...formsOf(normalized(word)), ...answersTo(word)].map(stemmer),
    parts: partsOf(normalized(word)).filter((part) => part.length >= minPartLength),
  }));
  const whole = words.reduce((sum, { weight }) => sum + weight, 0);
  const minFit = Math.min(minWeight, minShare * whole);
  return {
    isEnough(text) {
      const folded = normalized(text);
      const stems = new Set(folded.split(' ').map(stemmer));
      const said = words.filter(
        ({ stems: own, parts }) =>
          own.some((stem) => stems.has(stem)) || parts.some((part) => folded.includes(part)),
      );
      return said.reduce((sum, { weight }) => sum + weight, 0) >= minFit;
    },
  };
}

const ordinaryStems = new Set(ordinaryWords.map(stemmer));
const isOrdinary = (word: string): boolean => ordinaryStems.has(stemmer(word)) || /^\d{1,2}$/.test(word);
