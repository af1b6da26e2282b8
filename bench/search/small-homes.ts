import type { SearchedTool } from '../../host/search/index/fields.ts';
import type { Collection, Query } from './collection.ts';
import { measure } from './measures.ts';
import { ours } from './ours.ts';

type Tools = ReadonlyMap<string, SearchedTool>;

/** Tools of other people in a home. */
const sizes = [20, 35, 50, 80];
const maxRequests = 200;

/** What a small home says to requests. Shares are in percent. */
export interface SmallHomes {
  /** Of requests of other collections: those to which nothing was said to be an answer. */
  readonly refused: number;
  /** Of its own requests, for tools that it has: those to which something was. */
  readonly answered: number;
}

/** Homes with our own tools and a few of `collection`: with its requests, and with those of `others`. */
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

/** So many of them, spread evenly. */
function some<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count);
  return Array.from({ length: Math.min(count, items.length) }, (_, at) => items[Math.floor(at * step)]!);
}
