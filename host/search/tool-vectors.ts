import { setImmediate } from 'node:timers/promises';
import type { Logger } from '../api/log.ts';
import type { Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { messageOf } from '../core/errors.ts';
import type { Embedder } from './embedder.ts';
import { meaningTextOf, readsTheSame } from './fields.ts';
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
  /** By id; `undefined` until each tool of the snapshot has one. Asking starts the work, and never waits for it. */
  of(snapshot: Snapshot): ReadonlyMap<string, Float32Array> | undefined;
  /** One vector a text; `undefined` where there is none in time. */
  ofQueries(texts: readonly string[]): Promise<readonly Float32Array[] | undefined>;
}

/** Texts of one request, and tools that are read at a stretch. */
const batch = 100;
/** Milliseconds that a query waits for its vector. */
const patience = 2_000;
/** Milliseconds without another try after a failure. */
const pause = 60_000;
const mostQueriesKept = 200;

interface Made {
  readonly tool: RegisteredTool;
  readonly vector: Float32Array;
}

export function createToolVectors({ embedder, cache, log, signal }: ToolVectorOptions): ToolVectors {
  const made = new Map<string, Made>();
  const queries = new Map<string, Float32Array>();
  let complete:
    | { readonly snapshot: Snapshot; readonly vectors: ReadonlyMap<string, Float32Array> }
    | undefined;
  let working = false;
  let silentUntil = 0;
  let hasWarned = false;

  /** Said once: from then on everything is as if there were no embeddings, until they work again. */
  const failed = (cause: unknown): void => {
    silentUntil = performance.now() + pause;
    if (signal.aborted || hasWarned) return;
    hasWarned = true;
    log.warn(`Tools are searched by their words alone: embeddings failed. ${messageOf(cause)}`);
  };
  const rests = (): boolean => signal.aborted || performance.now() < silentUntil;

  const catchUp = async (snapshot: Snapshot): Promise<void> => {
    for (const id of made.keys()) if (!snapshot.tools.has(id)) made.delete(id);
    let some: RegisteredTool[] = [];
    for (const [id, tool] of snapshot.tools) {
      const before = made.get(id);
      if (before && readsTheSame(before.tool, tool)) continue;
      some.push(tool);
      if (some.length === batch) {
        await embedTools(some);
        some = [];
      }
    }
    await embedTools(some);
    complete = { snapshot, vectors: new Map([...made].map(([id, { vector }]) => [id, vector])) };
  };
  const embedTools = async (tools: readonly RegisteredTool[]): Promise<void> => {
    if (tools.length === 0) return;
    signal.throwIfAborted();
    await setImmediate();
    const texts = new Map(tools.map((tool) => [contentHash(meaningTextOf(tool)), meaningTextOf(tool)]));
    const known = new Map(await cache.getMany(embedder.model, [...texts.keys()]));
    const unknown = [...texts].filter(([hash]) => !known.has(hash));
    if (unknown.length > 0) {
      const vectors = await embedder.embed(
        unknown.map(([, text]) => text),
        signal,
      );
      const fresh = new Map(unknown.map(([hash], at) => [hash, vectors[at]!]));
      await cache.putMany(embedder.model, fresh);
      for (const [hash, vector] of fresh) known.set(hash, vector);
    }
    for (const tool of tools) {
      made.set(tool.id, { tool, vector: known.get(contentHash(meaningTextOf(tool)))! });
    }
  };

  return {
    of(snapshot) {
      if (complete?.snapshot === snapshot) return complete.vectors;
      if (!working && !rests()) {
        working = true;
        void catchUp(snapshot)
          .catch(failed)
          .finally(() => (working = false));
      }
      return undefined;
    },
    async ofQueries(texts) {
      const missing = [...new Set(texts)].filter((text) => !queries.has(text));
      if (missing.length > 0) {
        if (rests()) return undefined;
        try {
          const vectors = await embedder.embed(
            missing,
            AbortSignal.any([signal, AbortSignal.timeout(patience)]),
          );
          missing.forEach((text, at) => queries.set(text, vectors[at]!));
        } catch (cause) {
          failed(cause);
          return undefined;
        }
      }
      const found = texts.map((text) => queries.get(text)!);
      for (const oldest of queries.keys()) {
        if (queries.size <= mostQueriesKept) break;
        queries.delete(oldest);
      }
      return found;
    },
  };
}
