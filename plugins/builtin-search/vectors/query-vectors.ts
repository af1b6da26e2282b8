import { LRUCache } from 'lru-cache';
import type { Clock } from 'pegboard';
import { openDeadline } from 'pegboard/channels';
import type { Embedder } from './embedder.ts';
import type { EmbeddingBreaker } from './embedding-breaker.ts';

/** One vector per text; `undefined` when they are not available in time. */
export type QueryVectors = (texts: readonly string[]) => Promise<readonly Float32Array[] | undefined>;

/** How long a query waits for its vector. */
const timeoutMs = 2_000;
const maxCached = 200;

/** Embeds queries, and caches the vectors of the latest ones. */
export function createQueryVectors(
  embedder: Embedder,
  breaker: EmbeddingBreaker,
  { signal, clock }: { readonly signal: AbortSignal; readonly clock: Clock },
): QueryVectors {
  const cache = new LRUCache<string, Float32Array>({ max: maxCached });
  return async (texts) => {
    const found = new Map(texts.map((text) => [text, cache.get(text)]));
    const missing = [...found.keys()].filter((text) => !found.get(text));
    if (missing.length > 0) {
      if (breaker.isOpen) return undefined;
      try {
        using limit = openDeadline(timeoutMs, signal, clock);
        const vectors = await embedder.embed(missing, limit.signal);
        missing.forEach((text, at) => {
          found.set(text, vectors[at]);
          cache.set(text, vectors[at]);
        });
      } catch (cause) {
        breaker.fail(cause);
        return undefined;
      }
    }
    return texts.map((text) => found.get(text)!);
  };
}
