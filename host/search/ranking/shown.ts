import { maxNearest } from '../hit.ts';
import type { SearchResult } from '../search-tools.ts';

/** The results to show: all of them, or the nearest three when no tool surely matches. */
export function shownOf(found: readonly SearchResult[]): {
  readonly isSure: boolean;
  readonly shown: readonly SearchResult[];
} {
  const isSure = found.length > 0 && !found[0]!.nearest;
  return { isSure, shown: isSure ? found : found.slice(0, maxNearest) };
}
