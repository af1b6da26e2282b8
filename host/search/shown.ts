import { mostNearest } from './hit.ts';
import type { Found } from './search-tools.ts';

/** What is shown of what was found: all of it, or the nearest three where no tool is sure to fit. */
export function shownOf(found: readonly Found[]): {
  readonly isSure: boolean;
  readonly shown: readonly Found[];
} {
  const isSure = found.length > 0 && !found[0]!.nearest;
  return { isSure, shown: isSure ? found : found.slice(0, mostNearest) };
}
