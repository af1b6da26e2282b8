import { minScore, maxNearest, type Hit } from '../hit.ts';
import type { Similar } from '../vectors/vectors.ts';

/** What a tool's meaning must show where no word matches: see `standsOut`. */
const minSimilarity = 0.3;
const deviationsBeyondChance = 1;

/**
 * One ranking by words and by meaning. What counts is the share of the best in each, summed: a model's cosines have a
 * range of their own, which shares leave out. Measured better than reciprocal ranks (docs/decisions). Where words are
 * not sure of any tool and none stands out by meaning, all are only the nearest. What a request names comes first.
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
  /** The median, and how far below it lies what only a sixth is below: a normal distribution's deviation. */
  readonly typical: number;
  readonly deviation: number;
  readonly top: number;
  readonly count: number;
}

/** The highest of `count` values that are there by chance lies about √(2 ln count) deviations above the usual one. */
function standsOut(similarity: number, { typical, deviation, count }: Spread): boolean {
  const byChance = Math.sqrt(2 * Math.log(Math.max(2, count)));
  return (
    similarity >= minSimilarity && similarity >= typical + (byChance + deviationsBeyondChance) * deviation
  );
}

/** By rank, so that a group of tools that all fit does not hide itself. */
function spreadOf(similar: readonly Similar[]): Spread {
  const sorted = Float64Array.from(similar, ({ similarity }) => similarity).sort();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { typical: at(0.5), deviation: at(0.5) - at(1 / 6), top: at(1), count: sorted.length };
}
