import type { Diagnostic } from '../../api/diagnostic.ts';
import type { CachedCatalog } from './catalog/catalog-cache.ts';
import type { McpTransport } from './config.ts';
import type { Connections } from './connection/connections.ts';
import { isObject } from './transport/rpc-message.ts';
import type { ToolCatalog } from './catalog/tool-catalog.ts';
import type { McpStatus } from './mcp-source.ts';

/** Diagnostics that are shown elsewhere or are harmless. */
const saidElsewhere =
  /^(?:mcp-(?:new|changed)-(?:tool|instructions)|mcp-odd-tool|mcp-duplicate-tool|mcp-stdout-garbage|peg-.*)$/;

export function statusOfServer(
  name: string,
  configured: McpTransport,
  known: CachedCatalog | undefined,
  catalog: ToolCatalog,
  { state, since, restarts, error, open }: Connections,
  diagnostics: readonly Diagnostic[] = [],
): McpStatus {
  const warnings = diagnostics.filter(({ code }) => !saidElsewhere.test(code)).map(({ message }) => message);
  return {
    name,
    state,
    since: new Date(since).toISOString(),
    transport: known?.transport ?? configured,
    ...(known && { era: known.era.kind }),
    tools: catalog.listing.tools.length,
    pending: catalog.pendingTools.map((one) => one.name),
    ...(error && state !== 'ready' && { error: error.message }),
    ...(warnings.length > 0 && { warnings }),
    restarts,
    ...(open[0]?.pid !== undefined && { pid: open[0].pid }),
    ...(isObject(known?.serverInfo) && { serverInfo: known.serverInfo }),
  };
}
