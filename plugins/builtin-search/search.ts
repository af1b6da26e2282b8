import { toJson, type Clock, type Logger, type Search, type Snapshot } from 'pegboard';
import { type EmbeddingsEndpoint, type PayForEmbeddings, type VectorCache, withinLimit } from 'pegboard/kit';
import type { ToolSearch } from './search-tools.ts';

/** Search in a host, with its current embeddings. Disposing ends background work. */
export interface OpenSearch extends Omit<Search, 'packVectors'>, Disposable {
  /** Replaces the endpoint. Undefined: search by words only. The same endpoint again changes nothing. */
  useEmbeddings(endpoint: EmbeddingsEndpoint | undefined): void;
}

interface SearchOptions {
  readonly cache: VectorCache;
  readonly log: Logger;
  readonly pay: PayForEmbeddings;
  readonly clock: Clock;
}

/** Milliseconds. */
const timeoutMs = 10_000;
/** Starts without embeddings. The search code is loaded on first use. */
export function createSearch(current: () => Snapshot, options: SearchOptions): OpenSearch {
  let configured: string | undefined;
  let parts = assemble(current, undefined, options);
  return {
    tools: async (...asked) => (await parts.opened()).tools(...asked),
    vectors: {
      of: async (...texts) => (await parts.opened()).vectors.of(...texts),
      cached: async (...texts) => (await parts.opened()).vectors.cached(...texts),
    },
    prepared: async () => {
      const made = parts.opened().then(({ tools }) => tools.prepared());
      await withinLimit(made, timeoutMs, options.clock).catch(() => {});
    },
    indexed: async () => await (await parts.opened()).tools.indexed(),
    useEmbeddings(endpoint) {
      const next = endpoint && toJson(endpoint);
      if (next === configured) return;
      configured = next;
      parts.closed.abort();
      parts = assemble(current, endpoint, options);
    },
    [Symbol.dispose]: () => parts.closed.abort(),
  };
}

interface Parts {
  readonly closed: AbortController;
  opened(): Promise<{ readonly tools: ToolSearch; readonly vectors: Search['vectors'] }>;
}

function assemble(
  current: () => Snapshot,
  endpoint: EmbeddingsEndpoint | undefined,
  { cache, log, pay, clock }: SearchOptions,
): Parts {
  const closed = new AbortController();
  let opening: ReturnType<Parts['opened']> | undefined;
  const open: Parts['opened'] = async () => {
    const [{ createOpenAiEmbedder }, { createToolSearch }, { createTextVectors }] = await Promise.all([
      import('./vectors/openai-embedder.ts'),
      import('./search-tools.ts'),
      import('./vectors/text-vectors.ts'),
    ]);
    const embedder = endpoint && createOpenAiEmbedder(endpoint, { pay });
    return {
      tools: createToolSearch(current, embedder && { embedder, cache, log, clock, signal: closed.signal }),
      vectors: createTextVectors(embedder, { cache, log, clock }),
    };
  };
  return { closed, opened: () => (opening ??= open()) };
}
