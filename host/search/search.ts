import type { Clock } from '../api/surroundings.ts';
import type { Logger } from '../api/log.ts';
import type { Snapshot } from '../api/source.ts';
import { withinLimit } from '../core/async/deadline.ts';
import type { EmbeddingsEndpoint, PayForEmbeddings } from './vectors/openai-embedder.ts';
import type { SearchTools, ToolSearch } from './search-tools.ts';
import type { TextVectors } from './vectors/text-vectors.ts';
import type { VectorCache } from '../api/store/vectors.ts';

/** Search in a host, with its current embeddings. Disposing ends background work. */
export interface Search extends Disposable {
  readonly tools: SearchTools;
  readonly vectors: TextVectors;
  /** Resolves when search by meaning is ready or unavailable, or after 10 s. */
  prepared(): Promise<void>;
  /** Indexes the tools of a large home in the background, now and after each change, so that no query waits for it. */
  keepIndexed(onChange: (listener: () => void) => Disposable): Disposable;
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
/** So many tools are indexed quickly enough within a query. */
const maxIndexedAtOnce = 500;
/** How long the tools must be unchanged before background indexing starts: servers connect one after another. */
const calmMs = 200;

/** Starts without embeddings. The search code is loaded on first use. */
export function createSearch(current: () => Snapshot, options: SearchOptions): Search {
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
    keepIndexed(onChange) {
      const index = (): void => {
        if (current().tools.size <= maxIndexedAtOnce) return;
        // The next query reports a failure.
        parts.opened().then(
          ({ tools }) => tools.indexed(),
          () => {},
        );
      };
      const timer = setTimeout(index, calmMs).unref();
      const listening = onChange(() => void timer.refresh());
      return {
        [Symbol.dispose]() {
          clearTimeout(timer);
          listening[Symbol.dispose]();
        },
      };
    },
    useEmbeddings(endpoint) {
      const next = endpoint && JSON.stringify(endpoint);
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
  opened(): Promise<{ readonly tools: ToolSearch; readonly vectors: TextVectors }>;
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
