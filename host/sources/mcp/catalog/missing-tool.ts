import { pegboard } from '../../../core/own-command.ts';
import { nearest } from '../../../core/documents/nearest.ts';
import { PegboardError } from '../../../core/errors.ts';
import type { McpServerConfig } from '../config.ts';
import { headersOfClient, needsClient } from '../connection/client-headers.ts';
import type { Connections } from '../connection/connections.ts';
import { unavailable } from '../connection/supervisor.ts';
import type { CachedCatalog } from './catalog-cache.ts';
import { notInIncompleteList } from './listing.ts';
import type { ToolCatalog } from './tool-catalog.ts';

export interface MissingToolContext {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly catalog: ToolCatalog;
  readonly known: CachedCatalog | undefined;
  readonly connections: Connections;
}

/** Why a tool isn't listed although the server may have it; undefined if the server has no such tool. */
export function whyMissing(
  tool: string,
  { name, config, catalog, known, connections }: MissingToolContext,
): PegboardError | undefined {
  if (catalog.isPending(tool)) return notApproved(name, tool);
  const unusable = leftOut(tool, catalog);
  if (unusable) return unusable;
  if (connections.error) return connections.error;
  if (known?.cutOff !== undefined) return notInIncompleteList(name, tool, known.cutOff);
  if (known || connections.state === 'ready') return undefined;
  const reason = needsClient(config)
    ? `it connects when a client that sends ${headersOfClient(config).join(' and ')} makes a call`
    : 'it has not listed its tools yet';
  return unavailable(name, reason);
}

export const notApproved = (server: string, tool: string): PegboardError =>
  new PegboardError(
    'PEG_TOOL_UNAVAILABLE',
    `${server}.${tool} is not what was approved, and is pending approval. See what changed and approve it with \`${pegboard} mcp approve ${server} ${tool}\`.`,
    { data: { server, pending: true } },
  );

/** Why a tool that the server lists can't be used; undefined if nothing is wrong with it. */
export function leftOut(tool: string, catalog: ToolCatalog): PegboardError | undefined {
  const why = catalog.whyLeftOut(tool);
  return why === undefined
    ? undefined
    : new PegboardError('PEG_TOOL_NOT_FOUND', why, { data: { leftOut: true } });
}

export function noSuchTool(server: string, tool: string, catalog: ToolCatalog): PegboardError {
  const near = nearest(tool, catalog.names, 3);
  const hint = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
  return new PegboardError('PEG_TOOL_NOT_FOUND', `MCP server "${server}" has no tool "${tool}".${hint}`, {
    data: { suggestions: near },
  });
}
