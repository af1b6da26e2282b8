import type { SearchedTool } from '../../plugins/builtin-search/index/fields.ts';
import { createToolIndex, type ToolIndex } from '../../plugins/builtin-search/index/tool-index.ts';
import type { Find } from './measures.ts';

/** Pegboard's own search over these tools. */
export function ours(tools: ReadonlyMap<string, SearchedTool>): Find {
  return findIn(indexOf(tools));
}

export function indexOf(tools: ReadonlyMap<string, SearchedTool>): ToolIndex {
  const index = createToolIndex();
  for (const [id, tool] of tools) index.add(id, tool);
  for (const _ of index.settle());
  return index;
}

export function findIn(index: ToolIndex): Find {
  return (text, limit) => {
    const hits = index.search(text, limit);
    return { ids: hits.map(({ id }) => id), isSure: hits.length > 0 && !hits[0]!.nearest };
  };
}
