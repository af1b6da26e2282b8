import type { Scope, Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { visible } from './access.ts';
import { isMeta } from './meta.ts';

/** The tools that a caller may see, in the snapshot's order. */
export interface VisibleTools {
  /** All but the meta-tools. */
  readonly domain: readonly RegisteredTool[];
  /** The tools that find and run them. */
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
