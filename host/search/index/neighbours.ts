import { editDistance } from '../../core/text/edit-distance.ts';

/** A word of the index that may be meant by an unknown word, with its confidence: 0 to 1. */
interface Neighbour {
  readonly word: string;
  readonly weight: number;
}

const minWordLength = 4;
const maxWordLength = 30;
const maxNeighbours = 5;
/** Share of a word's 3-grams that a neighbour must have before the edit distance is computed. */
const sharedGrams = 0.25;

/** Finds known words that are similar to an unknown one: other endings, and typos. */
export interface Neighbours {
  /** Nearest first, at most five. Nothing for words of fewer than four letters or with digits. */
  of(word: string): readonly Neighbour[];
  /** Indexes new words. */
  catchUp(): void;
}

/** `words` may grow. `isKnown` says whether a word is still in use. */
export function createNeighbours(words: readonly string[], isKnown: (id: number) => boolean): Neighbours {
  const byGram = new Map<string, number[]>();
  let seen = 0;
  const catchUp = (): void => {
    for (; seen < words.length; seen++) {
      const word = words[seen]!;
      if (word.length < minWordLength || word.length > maxWordLength || word.includes(' ')) continue;
      for (const gram of gramsOf(word)) {
        const ids = byGram.get(gram);
        if (ids) ids.push(seen);
        else byGram.set(gram, [seen]);
      }
    }
  };
  return {
    catchUp,
    of(word) {
      if (word.length < minWordLength || word.length > maxWordLength || /\d/.test(word)) return [];
      catchUp();
      const grams = gramsOf(word);
      const shared = new Map<number, number>();
      for (const gram of grams)
        for (const id of byGram.get(gram) ?? []) shared.set(id, (shared.get(id) ?? 0) + 1);
      const found: Neighbour[] = [];
      for (const [id, count] of shared) {
        const weight = isKnown(id) ? nearness(word, words[id]!, count >= grams.length * sharedGrams) : 0;
        if (weight > 0) found.push({ word: words[id]!, weight });
      }
      return found.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1)).slice(0, maxNeighbours);
    },
  };
}

/** Half the share of letters for a common beginning; 0.4 for one typo and 0.2 for two, in long words only. */
function nearness(word: string, known: string, alike: boolean): number {
  if (known.startsWith(word) || (known.length > minWordLength && word.startsWith(known))) {
    return (0.5 * Math.min(known.length, word.length)) / Math.max(known.length, word.length);
  }
  if (!alike) return 0;
  const maxNeighbours = word.length > 7 ? 2 : 1;
  const slips = editDistance(word, known, maxNeighbours);
  return slips <= maxNeighbours ? 0.6 - 0.2 * slips : 0;
}

function gramsOf(word: string): string[] {
  const bounded = `^${word}$`;
  return Array.from({ length: word.length }, (_, at) => bounded.slice(at, at + 3));
}
