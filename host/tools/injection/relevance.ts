import type { ToolSource } from '../../api/source.ts';
import { cosine } from '../../core/cosine.ts';

/** Construct's figure: a pack whose description is less similar to the message than this is left out. */
const minSimilarity = 0.3;

/**
 * The packs that a message is about, with those that are always there. `vectors` holds the embeddings of what a source
 * and its tools are for by the source's id: the most similar one counts. Fails open: without the message's vector all
 * packs are in, and a pack without one is.
 */
export function selectPacks<Source extends Pick<ToolSource, 'id' | 'alwaysLoad'>>(
  sources: readonly Source[],
  queryVector: Float32Array | undefined,
  vectors: ReadonlyMap<string, readonly Float32Array[]>,
): readonly Source[] {
  if (!queryVector) return sources;
  return sources.filter(({ id, alwaysLoad }) => {
    const own = vectors.get(id) ?? [];
    return alwaysLoad || own.length === 0 || own.some((vector) => !isFarFrom(queryVector, vector));
  });
}

/** Vectors of different lengths come from different models and can't be compared, so that nothing is said. */
function isFarFrom(a: Float32Array, b: Float32Array): boolean {
  const similarity = a.length === b.length ? cosine(a, b) : Number.NaN;
  return similarity < minSimilarity;
}
