import { setImmediate } from 'node:timers/promises';
import type { RegisteredTool, Snapshot } from 'pegboard';
import type { VectorCache } from 'pegboard/kit';
import type { Embedder } from './embedder.ts';
import type { EmbeddingBreaker } from './embedding-breaker.ts';
import { isIndexedAlike, meaningTextOf } from '../index/fields.ts';
import { contentHash } from './vector-cache.ts';

export interface ToolVectorOptions {
  readonly embedder: Embedder;
  readonly cache: VectorCache;
  readonly breaker: EmbeddingBreaker;
  /** Aborts when the search closes. */
  readonly signal: AbortSignal;
}

/** Vectors of all tools, computed in the background. */
export interface ToolVectors {
  /** By id; `undefined` until every tool of the snapshot has one. */
  of(snapshot: Snapshot): ReadonlyMap<string, Float32Array> | undefined;
  /** Starts the work. Resolves when the cached vectors have been read; the others are computed in the background. */
  cached(snapshot: Snapshot): Promise<void>;
  /** Resolves when every tool has a vector, or computing them has failed. */
  computed(snapshot: Snapshot): Promise<void>;
}

/** Texts of one request, and tools that are read without yielding to the event loop. */
const batchSize = 100;

interface ToolVector {
  readonly tool: RegisteredTool;
  readonly vector: Float32Array;
}

function* batches(tools: readonly RegisteredTool[]): Generator<readonly RegisteredTool[]> {
  for (let at = 0; at < tools.length; at += batchSize) yield tools.slice(at, at + batchSize);
}

const ignore = (): void => {};

export function createToolVectors({ embedder, cache, breaker, signal }: ToolVectorOptions): ToolVectors {
  const known = new Map<string, ToolVector>();
  let complete:
    | { readonly snapshot: Snapshot; readonly vectors: ReadonlyMap<string, Float32Array> }
    | undefined;
  let working: { readonly cached: Promise<void>; readonly computed: Promise<void> } | undefined;

  /** Reads the cache, a batch at a time. Returns the tools whose texts have no vector yet. */
  const readCache = async (snapshot: Snapshot): Promise<readonly RegisteredTool[]> => {
    for (const id of known.keys()) if (!snapshot.tools.has(id)) known.delete(id);
    const changed = [...snapshot.tools.values()].filter((tool) => {
      const before = known.get(tool.id);
      return !before || !isIndexedAlike(before.tool, tool);
    });
    const missing: RegisteredTool[] = [];
    for (const tools of batches(changed)) {
      signal.throwIfAborted();
      await setImmediate();
      const hashes = tools.map((tool) => contentHash(meaningTextOf(tool)));
      const cached = await cache.getMany(embedder.model, hashes);
      for (const [at, tool] of tools.entries()) {
        const vector = cached.get(hashes[at]!);
        if (vector) known.set(tool.id, { tool, vector });
        else missing.push(tool);
      }
    }
    if (missing.length === 0) finish(snapshot);
    return missing;
  };

  const embedTools = async (tools: readonly RegisteredTool[]): Promise<void> => {
    signal.throwIfAborted();
    const texts = new Map(tools.map((tool) => [contentHash(meaningTextOf(tool)), meaningTextOf(tool)]));
    const vectors = await embedder.embed([...texts.values()], signal);
    const fresh = new Map([...texts.keys()].map((hash, at) => [hash, vectors[at]!]));
    await cache.putMany(embedder.model, fresh);
    for (const tool of tools)
      known.set(tool.id, { tool, vector: fresh.get(contentHash(meaningTextOf(tool)))! });
  };

  const embedMissing = async (
    snapshot: Snapshot,
    reading: Promise<readonly RegisteredTool[]>,
  ): Promise<void> => {
    const missing = await reading;
    if (missing.length === 0) return;
    for (const tools of batches(missing)) await embedTools(tools);
    finish(snapshot);
  };

  const finish = (snapshot: Snapshot): void => {
    complete = { snapshot, vectors: new Map([...known].map(([id, { vector }]) => [id, vector])) };
  };

  const start = (snapshot: Snapshot): typeof working => {
    if (complete?.snapshot === snapshot || working || breaker.isOpen) return working;
    const reading = readCache(snapshot);
    const computed = embedMissing(snapshot, reading)
      .catch((cause: unknown) => breaker.fail(cause))
      .finally(() => (working = undefined));
    working = { cached: reading.then(ignore, ignore), computed };
    return working;
  };

  return {
    of: (snapshot) => (complete?.snapshot === snapshot ? complete.vectors : undefined),
    cached: async (snapshot) => start(snapshot)?.cached,
    computed: async (snapshot) => start(snapshot)?.computed,
  };
}
