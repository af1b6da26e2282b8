import type { RegisteredTool } from '../api/tool.ts';

/** Id of the source of meta-tools, which find and run the other tools. */
export const metaSource = 'meta';

/** Meta-tools whose results are those of other tools. */
const passingOn: ReadonlySet<string> = new Set(['execute_tool', 'background_run']);

/** Whether the texts of its results say all that a model needs, so that their structured content is for programs only. */
export function textIsComplete(tool: Pick<RegisteredTool, 'source' | 'name'>): boolean {
  return tool.source.kind === 'builtin' && !(isMeta(tool) && passingOn.has(tool.name));
}

export function isMeta(tool: Pick<RegisteredTool, 'source'>): boolean {
  return tool.source.isMeta === true;
}
