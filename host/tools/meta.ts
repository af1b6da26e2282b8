import type { RegisteredTool } from '../api/tool.ts';

/** Id of the source of meta-tools, which find and run the other tools. */
export const metaSource = 'meta';

export function isMeta(tool: Pick<RegisteredTool, 'source'>): boolean {
  return tool.source.id === metaSource;
}
