import type { Logger } from '../api/log.ts';
import type { Snapshot } from '../api/source.ts';
import { withinLimit } from '../core/async/deadline.ts';
import type { EmbeddingsEndpoint, PayForEmbeddings } from './vectors/openai-embedder.ts';
import type { SearchTools, ToolSearch } from './search-tools.ts';
import type { TextVectors } from './vectors/text-vectors.ts';
import type { VectorCache } from './vectors/vector-cache.ts';

/** All finding in a host, with whichever embeddings it has just now. Disposing ends what is made in the background. */
export interface Search extends Disposable {
  readonly tools: SearchTools;
  readonly vectors: TextVectors;
  /** Resolves when tools are found by their meaning too, or can't be, or after 10 s. */
  prepared(): Promise<void>;
  /** Indexes the tools of a large home in the background, now and after each change: no query has to wait for that. */
  keepIndexed(onChange: (listener: () => void) => Disposable): Disposable;
  /** From now on. Without an endpoint words alone decide; the same as before changes nothing. */
  useEmbeddings(endpoint: EmbeddingsEndpoint | undefined): void;
}

interface SearchOptions {
  readonly cache: VectorCache;
  readonly log: Logger;
  readonly pay: PayForEmbeddings;
}

/** Milliseconds. */
const timeoutMs = 10_000;
/** Tools that are indexed in less time than a query may take. */
const maxIndexedAtOnce = 500;
/** Milliseconds without a change, before tools are indexed in the background: servers come one after another. */
const calmMs = 200;

/** Begins without embeddings. What finds is loaded when something is first looked for. */
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
      await withinLimit(made, timeoutMs).catch(() => {});
    },
    keepIndexed(onChange) {
      const index = (): void => {
        if (current().tools.size <= maxIndexedAtOnce) return;
        // A failure is the next query's to tell.
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
  { cache, log, pay }: SearchOptions,
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
      tools: createToolSearch(current, embedder && { embedder, cache, log, signal: closed.signal }),
      vectors: createTextVectors(embedder, { cache, log }),
    };
  };
  return { closed, opened: () => (opening ??= open()) };
}
