import { editDistance } from 'pegboard/kit';

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
  /** The most frequent words that begin with two or three letters, at most five. */
  beginningWith(letters: string): readonly Neighbour[];
  /** Indexes new words. */
  catchUp(): void;
}

/** `words` may grow. `count`: how many tools have a word. */
export function createNeighbours(words: readonly string[], count: (id: number) => number): Neighbours {
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
      for (const [id, times] of shared) {
        const weight = count(id) > 0 ? nearness(word, words[id]!, times >= grams.length * sharedGrams) : 0;
        if (weight > 0) found.push({ word: words[id]!, weight });
      }
      return found.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1)).slice(0, maxNeighbours);
    },
    beginningWith(letters) {
      if (letters.length < 2 || letters.length >= minWordLength || /\d/.test(letters)) return [];
      catchUp();
      return (byGram.get(`^${letters.slice(0, 2)}`) ?? [])
        .filter((id) => words[id]!.startsWith(letters) && count(id) > 0)
        .sort((a, b) => count(b) - count(a) || (words[a]! < words[b]! ? -1 : 1))
        .slice(0, maxNeighbours)
        .map((id) => ({ word: words[id]!, weight: nearness(letters, words[id]!, false) }));
    },
  };
}

/**
 * Half the share of letters for a common beginning, and more than one typo where the known word only goes on: "forec" is
 * rather a forecast than forex. 0.4 for one typo and 0.2 for two, in long words only.
 */
function nearness(word: string, known: string, alike: boolean): number {
  if (word.length > minWordLength && known.startsWith(word))
    return 0.41 + 0.09 * (word.length / known.length);
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
