import type { SearchResult } from '../api/services/search.ts';

/** How many results are shown when no tool surely matches. */
export const maxNearest = 3;

/** The results to show: all of them, or the nearest when no tool surely matches. */
export function shownOf(found: readonly SearchResult[]): {
  readonly isSure: boolean;
  readonly shown: readonly SearchResult[];
} {
  const isSure = found.length > 0 && !found[0]!.nearest;
  return { isSure, shown: isSure ? found : found.slice(0, maxNearest) };
}
