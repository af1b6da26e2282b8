import type { Diagnostic } from '../../api/diagnostic.ts';
import type { JsonObject } from '../../api/result.ts';
import type { CachedCatalog } from './catalog/catalog-cache.ts';
import type { McpTransport } from './config.ts';
import type { Connections } from './connection/connections.ts';
import { isObject } from './transport/rpc-message.ts';
import type { ToolCatalog } from './catalog/tool-catalog.ts';
import type { SupervisorState } from './connection/supervisor.ts';

export interface McpStatus {
  readonly name: string;
  readonly state: SupervisorState;
  /** When it entered its state: ISO 8601. */
  readonly since: string;
  readonly transport: McpTransport;
  /** Of the last connection: `legacy` up to 2025-11-25, `modern` from 2026-07-28. */
  readonly era?: 'legacy' | 'modern';
  /** How many it offers now. */
  readonly tools: number;
  /** New or changed since the server was first seen: neither listed nor callable. */
  readonly quarantined: readonly string[];
  readonly error?: string;
  /** What of its list is left out or can't be read, and how it misbehaves. Absent: nothing is known to be wrong. */
  readonly warnings?: readonly string[];
  readonly restarts: number;
  readonly pid?: number;
  /** MCP's Implementation: name, version, title. */
  readonly serverInfo?: JsonObject;
}

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
    quarantined: catalog.pendingTools.map((one) => one.name),
    ...(error && state !== 'ready' && { error: error.message }),
    ...(warnings.length > 0 && { warnings }),
    restarts,
    ...(open[0]?.pid !== undefined && { pid: open[0].pid }),
    ...(isObject(known?.serverInfo) && { serverInfo: known.serverInfo }),
  };
}
