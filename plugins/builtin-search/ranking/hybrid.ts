import { maxNearest } from 'pegboard/kit';
import { minScore, type Hit } from '../hit.ts';
import type { Similar } from '../vectors/vectors.ts';

/** Thresholds for a match by meaning alone: see `standsOut`. */
const minSimilarity = 0.3;
const deviationsBeyondChance = 1;

/**
 * Combines the rankings by words and by meaning: the sum of each score's share of the best. Shares make models' different
 * ranges of cosines comparable. Measured better than reciprocal ranks (docs/decisions). When neither the words nor the
 * meaning of any tool match surely, all hits are only the nearest. Tools that the request names come first.
 */
export function fuseWithMeaning(
  byWords: readonly Hit[],
  byMeaning: readonly Similar[],
  limit: number,
  mayBeFound: (id: string) => boolean,
): Hit[] {
  const spread = spreadOf(byMeaning);
  const { typical, top } = spread;
  const meant = byMeaning.filter(({ id, similarity }) => mayBeFound(id) && similarity > typical);
  const isSure =
    (byWords.length > 0 && !byWords[0]!.nearest) ||
    meant.some(({ similarity }) => standsOut(similarity, spread));
  const named = new Set(byWords.flatMap((hit) => (hit.named ? [hit.id] : [])));
  const scores = new Map(byWords.map(({ id, score }) => [id, score]));
  for (const { id, similarity } of meant) {
    scores.set(id, (scores.get(id) ?? 0) + (similarity - typical) / (top - typical));
  }
  const ranked = [...scores]
    .map(([id, score]) => ({ id, score, first: Number(named.has(id)) }))
    .sort((a, b) => b.first - a.first || b.score - a.score || (a.id < b.id ? -1 : 1));
  const best = Math.max(...scores.values());
  return ranked
    .slice(0, limit)
    .map(({ id, score }) => ({
      id,
      score: score / best,
      ...(!isSure && { nearest: true as const }),
    }))
    .filter(({ score }, place) => score >= minScore || (!isSure && place < maxNearest));
}

interface Spread {
  /** The median, and the distance from it to the lowest sixth: the deviation of a normal distribution. */
  readonly typical: number;
  readonly deviation: number;
  readonly top: number;
  readonly count: number;
}

/** The highest of `count` random values is about √(2 ln count) deviations above the median. */
function standsOut(similarity: number, { typical, deviation, count }: Spread): boolean {
  const byChance = Math.sqrt(2 * Math.log(Math.max(2, count)));
  return (
    similarity >= minSimilarity && similarity >= typical + (byChance + deviationsBeyondChance) * deviation
  );
}

/** By rank, so that many matching tools don't raise their own threshold. */
function spreadOf(similar: readonly Similar[]): Spread {
  const sorted = Float64Array.from(similar, ({ similarity }) => similarity).sort();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { typical: at(0.5), deviation: at(0.5) - at(1 / 6), top: at(1), count: sorted.length };
}
