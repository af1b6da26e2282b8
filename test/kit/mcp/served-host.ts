import { silentLogger } from '../../../host/core/log.ts';
import type { Tool } from '../../../host/api/tool.ts';
import type { ToolSource } from '../../../host/api/source.ts';
import type { ServedHost } from '../../../plugins/builtin-mcp-server/served-host.ts';
import { kernel } from '../dispatch.ts';

/** A host without a home for the MCP server: these tools, and what `parts` adds. */
export async function servedHost(
  tools: readonly Tool[] | ToolSource,
  parts: Partial<ServedHost> = {},
): Promise<ServedHost> {
  const { registry, dispatch } = await kernel(tools);
  return { registry, dispatch, log: silentLogger, version: '0.0.0-test', upstreams: [], ...parts };
}
