import type { Scope, Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { visible } from './access.ts';
import { isMeta } from './meta.ts';

/** What a caller may see, in the snapshot's order. */
export interface VisibleTools {
  /** The tools that do something. */
  readonly domain: readonly RegisteredTool[];
  /** The tools that lead to them. */
  readonly meta: readonly RegisteredTool[];
}

/** The tools of a registry snapshot that a caller of this scope may use. */
export function visibleTools(snapshot: Snapshot, scope: Scope): VisibleTools {
  const tools = visible(snapshot, scope);
  return {
    domain: tools.filter((tool) => !isMeta(tool)),
    meta: tools.filter(isMeta),
  };
}
