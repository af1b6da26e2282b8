import { Search } from '../../api/services/search.ts';
import type { Registry } from '../../api/source.ts';
import type { PluginSet } from '../../plugins/plugin-set.ts';
import { createPlainSearch } from '../../tools/plain-search.ts';

/** So many tools are indexed quickly enough within a query. */
const maxIndexedAtOnce = 500;
/** Milliseconds for which the tools must be unchanged before they are indexed: servers connect one after another. */
const calmMs = 200;

/** What a plugin provides, and without one the host's own comparison of words. */
export function searchOf(plugins: Pick<PluginSet, 'use'>, registry: Pick<Registry, 'snapshot'>): Search {
  const plain: Search = {
    tools: createPlainSearch(() => registry.snapshot),
    vectors: { of: async () => undefined, cached: async () => undefined },
    packVectors: async () => new Map(),
    prepared: async () => {},
    indexed: async () => {},
  };
  const use = plugins.use(Search, { fallback: plain });
  return {
    tools: (...asked) => use(({ tools }) => tools(...asked)),
    vectors: {
      of: (...texts) => use(({ vectors }) => vectors.of(...texts)),
      cached: (...texts) => use(({ vectors }) => vectors.cached(...texts)),
    },
    packVectors: (current) => use((search) => search.packVectors(current)),
    prepared: () => use((search) => search.prepared()),
    indexed: () => use((search) => search.indexed()),
  };
}

/** Indexes the tools of a large home in the background, now and after each change, so that no query waits for it. */
export function keepIndexed(
  search: Pick<Search, 'indexed'>,
  registry: Pick<Registry, 'snapshot' | 'onChange'>,
): Disposable {
  const index = (): void => {
    if (registry.snapshot.tools.size <= maxIndexedAtOnce) return;
    // The next query reports a failure.
    search.indexed().catch(() => {});
  };
  const timer = setTimeout(index, calmMs).unref();
  const listening = registry.onChange(() => void timer.refresh());
  return {
    [Symbol.dispose]() {
      clearTimeout(timer);
      listening[Symbol.dispose]();
    },
  };
}
