import { pegboard } from '../../core/own-command.ts';
import { PegboardError } from '../../core/errors.ts';
import { nearest } from '../../core/documents/nearest.ts';
import type { Host } from '../../host.ts';
import type { McpSource } from '../../sources/mcp/mcp-source.ts';

/** Throws PEG_USAGE with a near name. */
export function getServer(host: Host, name: string): McpSource {
  const server = host.servers.get(name);
  if (server) return server;
  const names = host.servers.all.map((other) => other.name);
  const [near] = nearest(name, names);
  const hint =
    near !== undefined
      ? ` Did you mean ${near}?`
      : names.length > 0
        ? ` There are: ${names.join(', ')}.`
        : ` "${pegboard} mcp add" connects one.`;
  throw new PegboardError(
    'PEG_USAGE',
    `There is no MCP server "${name}" that is enabled in ${host.home}.${hint}`,
  );
}
