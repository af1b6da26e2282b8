import { cosine } from '../../core/cosine.ts';

/** How much a text lies in the direction of another: for tools, skills, packs and memories. */
export interface Similar {
  readonly id: string;
  /** Cosine: 1 for the same direction, 0 for nothing in common. */
  readonly similarity: number;
}

/**
 * Every one's similarity to `query`, in their order. What can't be compared is left out: a vector of another length,
 * which another model made, or one of zeros.
 */
export function similarities(
  query: Float32Array,
  vectors: Iterable<readonly [id: string, vector: Float32Array]>,
): Similar[] {
  const found: Similar[] = [];
  for (const [id, vector] of vectors) {
    const similarity = vector.length === query.length ? cosine(query, vector) : Number.NaN;
    if (!Number.isNaN(similarity)) found.push({ id, similarity });
  }
  return found;
}

/** Everyone's similarity to the query that it is most alike, in their order. */
export function bestSimilarities(
  queries: readonly Float32Array[],
  vectors: Iterable<readonly [id: string, vector: Float32Array]>,
): Similar[] {
  const best = new Map<string, Similar>();
  const all = [...vectors];
  for (const query of queries) {
    for (const similar of similarities(query, all)) {
      if (similar.similarity > (best.get(similar.id)?.similarity ?? -Infinity)) best.set(similar.id, similar);
    }
  }
  return [...best.values()];
}

/** The `limit` most alike, the most alike first, none below `least`. */
export function mostSimilar(
  query: Float32Array,
  vectors: Iterable<readonly [id: string, vector: Float32Array]>,
  limit: number,
  minSimilarity = -1,
): Similar[] {
  return similarities(query, vectors)
    .filter(({ similarity }) => similarity >= minSimilarity)
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}
