import type { Clock, Logger, RegisteredTool, SearchResult, SearchTools, Snapshot } from 'pegboard';
import { maxNearest, systemClock, type VectorCache } from 'pegboard/kit';
import type { Embedder } from './vectors/embedder.ts';
import { mostGeneral } from './ranking/general.ts';
import { fuseWithMeaning } from './ranking/hybrid.ts';
import { createIndexKeeper } from './index/index-keeper.ts';
import { createEmbeddingBreaker } from './vectors/embedding-breaker.ts';
import { createQueryVectors, type QueryVectors } from './vectors/query-vectors.ts';
import { createToolVectors, type ToolVectors } from './vectors/tool-vectors.ts';
import { createMemoryVectorCache } from './vectors/vector-cache.ts';
import { bestSimilarities } from './vectors/vectors.ts';

export type ToolSearch = SearchTools & {
  /** Resolves when search by meaning is ready or unavailable. */
  readonly prepared: () => Promise<void>;
  /** Resolves when the newest snapshot is indexed. */
  readonly indexed: () => Promise<void>;
};

export interface ToolSearchOptions {
  /** Enables search by meaning, as soon as all tools have their vectors. */
  readonly embedder: Embedder;
  readonly cache?: VectorCache;
  readonly log: Logger;
  /** Aborts when the host closes. */
  readonly signal: AbortSignal;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
}

/** Added to tools of the preferred server, as a share of the best score. */
const serverBonus = 0.5;
/** Hits of the ranking by words that the ranking by meaning may move up. */
const depth = 50;

/** Tools with two names that may be among the first results. */
const maxAliases = 5;

/** Of a tool with two names, keeps the better match. */
function withoutAliases(found: readonly SearchResult[]): readonly SearchResult[] {
  const taken = new Set<string>();
  return found.filter(({ tool }) => {
    const own = tool.sameAs ?? tool.id;
    return !taken.has(own) && taken.add(own);
  });
}

/** Fills up to three results with the most general tools. */
function withGeneral(
  found: readonly SearchResult[],
  { tools }: Snapshot,
  mayBeFound: (id: string) => boolean,
): readonly SearchResult[] {
  const others = mostGeneral([...tools.values()].filter(({ id }) => mayBeFound(id)));
  const ranked = [...found, ...others.map((tool) => ({ tool, score: 0, nearest: true as const }))];
  return withoutAliases(ranked).slice(0, maxNearest);
}

function createMeaningSearch({
  embedder,
  cache = createMemoryVectorCache(),
  log,
  signal,
  clock = systemClock,
}: ToolSearchOptions): {
  readonly tools: ToolVectors;
  readonly queries: QueryVectors;
} {
  const breaker = createEmbeddingBreaker(log, signal, clock);
  return {
    tools: createToolVectors({ embedder, cache, breaker, signal }),
    queries: createQueryVectors(embedder, breaker, { signal, clock }),
  };
}

/** The index is built at the first query, and updated to the current snapshot at each one. */
export function createToolSearch(current: () => Snapshot, options?: ToolSearchOptions): ToolSearch {
  const keeper = createIndexKeeper(current);
  const meaning = options && createMeaningSearch(options);
  const search: SearchTools = async (request, limit, admit = () => true) => {
    const { queries, domain, server, category } =
      typeof request === 'string' ? { queries: [request] } : request;
    // Cached vectors are read first; those that still have to be computed are not waited for.
    await meaning?.tools.cached(current());
    const queryVectors =
      meaning?.tools.of(current()) &&
      (await meaning.queries(queries.map((query) => (domain === undefined ? query : `${domain} ${query}`))));
    const { index, snapshot } = await keeper.upToDate();
    const toolVectors = queryVectors && meaning?.tools.of(snapshot);
    const toolOf = (id: string): RegisteredTool => snapshot.tools.get(id)!;
    const mayBeFound = (id: string): boolean => isIn(toolOf(id), category) && admit(toolOf(id));
    const byWords = index.search(queries, toolVectors ? Math.max(limit, depth) : limit + maxAliases, {
      admit: mayBeFound,
      ...(domain !== undefined && { domain }),
      ...(server !== undefined && { bonus: (id) => (isOf(toolOf(id), server) ? serverBonus : 0) }),
    });
    const hits = toolVectors
      ? fuseWithMeaning(byWords, bestSimilarities(queryVectors, toolVectors), limit + maxAliases, mayBeFound)
      : byWords;
    const found = withoutAliases(
      hits.map(({ id, score, nearest }) => ({ tool: toolOf(id), score, ...(nearest && { nearest }) })),
    );
    const isRefused = queries.some((query) => query.trim() !== '') && !found.some(({ nearest }) => !nearest);
    const all = isRefused && found.length < maxNearest ? withGeneral(found, snapshot, mayBeFound) : found;
    return all.slice(0, limit);
  };
  return Object.assign(search, {
    prepared: async () => meaning?.tools.computed(current()),
    indexed: async () => void (await keeper.upToDate()),
  });
}

function isIn(tool: RegisteredTool, category: string | undefined): boolean {
  return category === undefined || isOf(tool, category) || same(tool.category, category);
}

const isOf = ({ source }: RegisteredTool, server: string): boolean => same(source.module, server);

/** "GitHub", "github" and "git-hub" are the same. */
const same = (a: string | undefined, b: string): boolean => a !== undefined && bare(a) === bare(b);
const bare = (name: string): string => name.toLowerCase().replace(/[\s_.-]+/g, '');
