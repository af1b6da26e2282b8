import type { ServerListing } from './catalog/server-listing.ts';
import { transportOf, type McpServerConfig } from './config.ts';
import type { Connections } from './connection/connections.ts';
import { isObject } from './transport/rpc-message.ts';
import type { McpStatus } from './mcp-source.ts';

/** Diagnostics that are shown elsewhere or are harmless. */
const saidElsewhere =
  /^(?:mcp-(?:new|changed)-(?:tool|instructions)|mcp-odd-tool|mcp-odd-part|mcp-duplicate-tool|mcp-stdout-garbage|peg-.*)$/;

export function statusOfServer(
  { name, config }: { readonly name: string; readonly config: McpServerConfig },
  { known, catalog, current }: Pick<ServerListing, 'known' | 'catalog' | 'current'>,
  { state, since, restarts, error, open }: Connections,
): McpStatus {
  const warnings = (current().diagnostics ?? [])
    .filter(({ code }) => !saidElsewhere.test(code))
    .map(({ message }) => message);
  return {
    name,
    state,
    since: new Date(since).toISOString(),
    transport: known?.transport ?? transportOf(config),
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
