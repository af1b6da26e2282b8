import { stemmer } from 'stemmer';
import { askedGrams } from './grams.ts';
import { answersTo } from './kinds-of-things.ts';
import ordinaryWords from './ordinary-words.json' with { type: 'json' };
import { formsOf } from './word-forms.ts';
import { normalized, partsOf, wordsOf } from './words.ts';

/** The weight of a word: names count most, words that fit anything count little. */
const weights = { name: 2, specific: 1, ordinary: 0.35 } as const;
/** Share of the question's weight, or of a list of alternative words. Measured with bench/memory. */
const minShare = 0.5;
const minWeight = 2;
/** Shorter parts occur in too many words. */
const minPartLength = 5;

/**
 * Whether a text contains enough of a question's words. Words that no text contains count as well: a text about a
 * camera has half of "the warranty of the camera".
 */
export interface Fit {
  isEnough(text: string): boolean;
}

export function fitOf(question: string): Fit {
  // A single pair of characters is too weak to count as a word.
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
      const found = words.filter(
        ({ stems: own, parts }) =>
          own.some((stem) => stems.has(stem)) || parts.some((part) => folded.includes(part)),
      );
      return found.reduce((sum, { weight }) => sum + weight, 0) >= minFit;
    },
  };
}

/** Of common English words that don't reveal what a question is about: verbs, time, quantity, place, people, qualities. */
const ordinaryStems = new Set(ordinaryWords.join(' ').split(' ').map(stemmer));
const isOrdinary = (word: string): boolean => ordinaryStems.has(stemmer(word)) || /^\d{1,2}$/.test(word);
