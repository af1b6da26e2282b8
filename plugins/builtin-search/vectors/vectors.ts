import { cosine } from 'pegboard/kit';

/** The similarity of a text to another: for tools, skills, packs and memories. */
export interface Similar {
  readonly id: string;
  /** Cosine: 1 for the same direction, 0 for nothing in common. */
  readonly similarity: number;
}

/**
 * The similarity of each vector to `query`, in order. Vectors that can't be compared are left out: of another length, from
 * another model, or all zeros.
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

/** The similarity of each vector to its most similar query, in order. */
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

/** The `limit` most similar, best first, none below `minSimilarity`. */
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
