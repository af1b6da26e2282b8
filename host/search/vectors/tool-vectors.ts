import { setImmediate } from 'node:timers/promises';
import type { Logger } from '../../api/log.ts';
import type { Snapshot } from '../../api/source.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { messageOf } from '../../core/errors.ts';
import type { Embedder } from './embedder.ts';
import { meaningTextOf, readsTheSame } from '../index/fields.ts';
import { contentHash, type VectorCache } from './vector-cache.ts';

export interface ToolVectorOptions {
  readonly embedder: Embedder;
  readonly cache: VectorCache;
  readonly log: Logger;
  /** Aborts when nobody will ask any more. */
  readonly signal: AbortSignal;
}

/** Vectors of all tools, made in the background. */
export interface ToolVectors {
  /** By id; `undefined` until each tool of the snapshot has one. */
  of(snapshot: Snapshot): ReadonlyMap<string, Float32Array> | undefined;
  /** Starts the work and resolves when what is stored has been read: what isn't stored is made in the background. */
  stored(snapshot: Snapshot): Promise<void>;
  /** Resolves when all are made, or making them has failed. */
  made(snapshot: Snapshot): Promise<void>;
  /** One vector a text; `undefined` where there is none in time. */
  ofQueries(texts: readonly string[]): Promise<readonly Float32Array[] | undefined>;
}

/** Texts of one request, and tools that are read at a stretch. */
const batchSize = 100;
/** Milliseconds that a query waits for its vector. */
const timeoutMs = 2_000;
/** Milliseconds without another try after a failure. */
const pauseMs = 60_000;
const maxCachedQueries = 200;

interface Made {
  readonly tool: RegisteredTool;
  readonly vector: Float32Array;
}

function* batches(tools: readonly RegisteredTool[]): Generator<readonly RegisteredTool[]> {
  for (let at = 0; at < tools.length; at += batchSize) yield tools.slice(at, at + batchSize);
}

const ignore = (): void => {};

export function createToolVectors({ embedder, cache, log, signal }: ToolVectorOptions): ToolVectors {
  const made = new Map<string, Made>();
  const queries = new Map<string, Float32Array>();
  let complete:
    | { readonly snapshot: Snapshot; readonly vectors: ReadonlyMap<string, Float32Array> }
    | undefined;
  let working: { readonly stored: Promise<void>; readonly made: Promise<void> } | undefined;
  let silentUntil = 0;
  let hasWarned = false;

  /** Said once: from then on everything is as if there were no embeddings, until they work again. */
  const failed = (cause: unknown): void => {
    silentUntil = performance.now() + pauseMs;
    if (signal.aborted || hasWarned) return;
    hasWarned = true;
    log.warn(`Tools are searched by their words alone: embeddings failed. ${messageOf(cause)}`);
  };
  const rests = (): boolean => signal.aborted || performance.now() < silentUntil;

  /** Reads what is stored, a batch at a time; gives the tools whose texts have no vector yet. */
  const readStored = async (snapshot: Snapshot): Promise<readonly RegisteredTool[]> => {
    for (const id of made.keys()) if (!snapshot.tools.has(id)) made.delete(id);
    const changed = [...snapshot.tools.values()].filter((tool) => {
      const before = made.get(tool.id);
      return !before || !readsTheSame(before.tool, tool);
    });
    const missing: RegisteredTool[] = [];
    for (const tools of batches(changed)) {
      signal.throwIfAborted();
      await setImmediate();
      const hashes = tools.map((tool) => contentHash(meaningTextOf(tool)));
      const known = await cache.getMany(embedder.model, hashes);
      for (const [at, tool] of tools.entries()) {
        const vector = known.get(hashes[at]!);
        if (vector) made.set(tool.id, { tool, vector });
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
      made.set(tool.id, { tool, vector: fresh.get(contentHash(meaningTextOf(tool)))! });
  };
  const finish = (snapshot: Snapshot): void => {
    complete = { snapshot, vectors: new Map([...made].map(([id, { vector }]) => [id, vector])) };
  };

  const makeMissing = async (
    snapshot: Snapshot,
    reading: Promise<readonly RegisteredTool[]>,
  ): Promise<void> => {
    const missing = await reading;
    if (missing.length === 0) return;
    for (const tools of batches(missing)) await embedTools(tools);
    finish(snapshot);
  };

  const work = (snapshot: Snapshot): typeof working => {
    if (complete?.snapshot === snapshot || working || rests()) return working;
    const reading = readStored(snapshot);
    const making = makeMissing(snapshot, reading)
      .catch(failed)
      .finally(() => (working = undefined));
    working = { stored: reading.then(ignore, ignore), made: making };
    return working;
  };

  return {
    of: (snapshot) => (complete?.snapshot === snapshot ? complete.vectors : undefined),
    stored: async (snapshot) => work(snapshot)?.stored,
    made: async (snapshot) => work(snapshot)?.made,
    async ofQueries(texts) {
      const missing = [...new Set(texts)].filter((text) => !queries.has(text));
      if (missing.length > 0) {
        if (rests()) return undefined;
        try {
          const vectors = await embedder.embed(
            missing,
            AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
          );
          missing.forEach((text, at) => queries.set(text, vectors[at]!));
        } catch (cause) {
          failed(cause);
          return undefined;
        }
      }
      const found = texts.map((text) => queries.get(text)!);
      for (const oldest of queries.keys()) {
        if (queries.size <= maxCachedQueries) break;
        queries.delete(oldest);
      }
      return found;
    },
  };
}
