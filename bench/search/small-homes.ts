import type { SearchedTool } from '../../plugins/builtin-search/index/fields.ts';
import type { Collection, Query } from './collection.ts';
import { measure } from './measures.ts';
import { ours } from './ours.ts';

type Tools = ReadonlyMap<string, SearchedTool>;

/** Number of third-party tools in a home. */
const sizes = [20, 35, 50, 80];
const maxRequests = 200;

/** How small homes answer requests. Shares are in percent. */
export interface SmallHomes {
  /** Share of requests from other collections without a certain match. */
  readonly refused: number;
  /** Share of its own requests, for tools that it has, with a certain match. */
  readonly answered: number;
}

/** Homes with our own tools and a few of `collection`, given its requests and those of `others`. */
export function measureSmallHomes(
  collection: Collection,
  others: readonly Collection[],
  own: Tools,
): SmallHomes {
  const foreign = others.flatMap(({ queries }) => some(queries.filter(isEnglish), maxRequests));
  const results = sizes.map((size) => {
    const home = new Map([...own, ...some([...collection.tools], size)]);
    const find = ours(home);
    const possible = collection.queries
      .filter(isEnglish)
      .filter(({ relevant }) => relevant.some((group) => group.some((id) => home.has(id))));
    return {
      refused: measure(foreign, find).unsure,
      answered: 100 - measure(some(possible, maxRequests), find).unsure,
    };
  });
  const mean = (key: keyof SmallHomes): number =>
    results.reduce((sum, result) => sum + result[key], 0) / results.length;
  return { refused: mean('refused'), answered: mean('answered') };
}

/** Labelled, and in the language of the tools. */
const isEnglish = ({ group, relevant }: Query): boolean => group !== 'language' && relevant.length > 0;

/** A sample of them, spread evenly. */
function some<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, at) => items[Math.floor(at * step)]!);
}
