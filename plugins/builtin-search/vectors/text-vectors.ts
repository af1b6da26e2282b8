import type { Clock, Logger, TextVectors } from 'pegboard';
import { messageOf, type VectorCache, withinLimit } from 'pegboard/kit';
import type { Embedder } from './embedder.ts';
import { contentHash } from './vector-cache.ts';

/** How long a request may take, and how long requests stop after a failure. */
const timeoutMs = 10_000;
const pauseMs = 60_000;

export function createTextVectors(
  embedder: Embedder | undefined,
  { cache, log, clock }: { readonly cache: VectorCache; readonly log: Logger; readonly clock: Clock },
): TextVectors {
  if (!embedder) return { of: () => Promise.resolve(undefined), cached: () => Promise.resolve(undefined) };
  let pausedUntil = 0;

  const unlessItFails = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (clock.monotonic() < pausedUntil) return undefined;
    try {
      return await withinLimit(work(), timeoutMs, clock);
    } catch (cause) {
      pausedUntil = clock.monotonic() + pauseMs;
      log.warn(`embeddings failed, and are disabled for a minute: ${messageOf(cause)}`);
      return undefined;
    }
  };

  const embedCached = async (texts: readonly string[]): Promise<readonly Float32Array[]> => {
    const hashes = texts.map(contentHash);
    const known = new Map(await cache.getMany(embedder.model, hashes));
    const missing = new Map<string, string>();
    for (const [at, hash] of hashes.entries()) if (!known.has(hash)) missing.set(hash, texts[at]!);
    if (missing.size > 0) {
      const vectors = await embedder.embed([...missing.values()]);
      const fresh = new Map([...missing.keys()].map((hash, at) => [hash, vectors[at]!]));
      await cache.putMany(embedder.model, fresh);
      for (const [hash, vector] of fresh) known.set(hash, vector);
    }
    return hashes.map((hash) => known.get(hash)!);
  };

  return {
    of: (texts, signal) => unlessItFails(() => embedder.embed(texts, signal)),
    cached: (texts) => unlessItFails(() => embedCached(texts)),
  };
}
