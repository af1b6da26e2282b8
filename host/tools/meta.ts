import type { RegisteredTool } from '../api/tool.ts';

/** Id of the source whose tools are about tools: they find and run the others. */
export const metaSource = 'meta';

export function isMeta(tool: Pick<RegisteredTool, 'source'>): boolean {
  return tool.source.id === metaSource;
}
