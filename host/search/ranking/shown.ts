import { maxNearest } from '../hit.ts';
import type { SearchResult } from '../search-tools.ts';

/** What is shown of what was found: all of it, or the nearest three where no tool is sure to fit. */
export function shownOf(found: readonly SearchResult[]): {
  readonly isSure: boolean;
  readonly shown: readonly SearchResult[];
} {
  const isSure = found.length > 0 && !found[0]!.nearest;
  return { isSure, shown: isSure ? found : found.slice(0, maxNearest) };
}
