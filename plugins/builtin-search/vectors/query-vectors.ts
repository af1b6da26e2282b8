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
  const cache = new Map<string, Float32Array>();
  return async (texts) => {
    const missing = [...new Set(texts)].filter((text) => !cache.has(text));
    if (missing.length > 0) {
      if (breaker.isOpen) return undefined;
      try {
        using limit = openDeadline(timeoutMs, signal, clock);
        const vectors = await embedder.embed(missing, limit.signal);
        missing.forEach((text, at) => cache.set(text, vectors[at]!));
      } catch (cause) {
        breaker.fail(cause);
        return undefined;
      }
    }
    const found = texts.map((text) => cache.get(text)!);
    for (const oldest of cache.keys()) {
      if (cache.size <= maxCached) break;
      cache.delete(oldest);
    }
    return found;
  };
}
