import type { GramIndex } from '../index/gram-index.ts';
import type { Query } from './query.ts';
import { createBufferPool } from '../index/buffer-pool.ts';
import { addScaled, scaleTo } from './top.ts';
import type { WordIndex } from '../index/word-index.ts';

const gramWeight = 0.3;

/** Scores of all tools for a request, by index. */
export interface Ranking {
  /** The score of the whole request plus, with a weight of 0 to 1, of the best part for each tool. */
  scoresOf(whole: Query, parts: readonly Query[], weightOfParts: number): Float64Array;
  /** The caller is done with them. */
  done(scores: Float64Array): void;
}

export function createRanking(
  { words, grams }: { readonly words: () => WordIndex; readonly grams: GramIndex },
  size: () => number,
): Ranking {
  const scratch = createBufferPool();

  const scoresOfPart = (query: Query): Float64Array => {
    const scores = scratch.take(size());
    words().addScores(query, scores);
    scaleTo(scores, 1);
    const spelling = scratch.take(size());
    grams.addScores(query.text, spelling);
    addScaled(scores, spelling, gramWeight);
    scratch.release(spelling);
    return scores;
  };

  return {
    scoresOf(whole, parts, weightOfParts) {
      const scores = scoresOfPart(whole);
      if (parts.length === 0) return scores;
      const best = scratch.take(size());
      for (const part of parts) {
        const some = scoresOfPart(part);
        for (let at = 0; at < best.length; at++) if (some[at]! > best[at]!) best[at] = some[at]!;
        scratch.release(some);
      }
      scaleTo(scores, 1 - weightOfParts);
      addScaled(scores, best, weightOfParts);
      scratch.release(best);
      return scores;
    },
    done: (scores) => scratch.release(scores),
  };
}
