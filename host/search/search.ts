import type { Logger } from '../api/log.ts';
import type { Snapshot } from '../api/source.ts';
import { createOpenAiEmbedder, type EmbeddingsEndpoint } from './openai-embedder.ts';
import { createToolSearch, type SearchTools } from './search-tools.ts';
import { createTextVectors, type TextVectors } from './text-vectors.ts';
import type { VectorCache } from './vector-cache.ts';

/** All finding in a host, with whichever embeddings it has just now. Disposing ends what is made in the background. */
export interface Search extends Disposable {
  readonly tools: SearchTools;
  readonly vectors: TextVectors;
  /** From now on. Without an endpoint words alone decide; the same as before changes nothing. */
  useEmbeddings(endpoint: EmbeddingsEndpoint | undefined): void;
}

interface SearchOptions {
  readonly cache: VectorCache;
  readonly log: Logger;
}

/** Begins without embeddings. */
export function createSearch(current: () => Snapshot, options: SearchOptions): Search {
  let configured: string | undefined;
  let parts = assemble(current, undefined, options);
  return {
    tools: (...asked) => parts.tools(...asked),
    vectors: {
      of: (...texts) => parts.vectors.of(...texts),
      kept: (...texts) => parts.vectors.kept(...texts),
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

interface Parts extends Pick<Search, 'tools' | 'vectors'> {
  readonly closed: AbortController;
}

function assemble(
  current: () => Snapshot,
  endpoint: EmbeddingsEndpoint | undefined,
  { cache, log }: SearchOptions,
): Parts {
  const closed = new AbortController();
  const embedder = endpoint && createOpenAiEmbedder(endpoint);
  return {
    closed,
    tools: createToolSearch(current, embedder && { embedder, cache, log, signal: closed.signal }),
    vectors: createTextVectors(embedder, { cache, log }),
  };
}
