import type { RegisteredTool } from '../../api/tool.ts';

/**
 * One tool as `tools --json` lists it. `name` is what models and MCP clients call it; seconds for `timeout`. Optional
 * fields are present where the tool has them.
 */
export function toolToJson(tool: RegisteredTool): object {
  const { title, tags, aliases, examples } = tool;
  return {
    id: tool.id,
    name: tool.wireName,
    source: tool.source.id,
    kind: tool.source.kind,
    description: tool.description,
    category: tool.category ?? null,
    parameters: tool.parameters,
    confirm: tool.confirm ?? false,
    timeout: tool.timeout ?? 60,
    ...(title !== undefined && { title }),
    ...(tags && { tags }),
    ...(aliases && { aliases }),
    ...(examples && { examples }),
  };
}
