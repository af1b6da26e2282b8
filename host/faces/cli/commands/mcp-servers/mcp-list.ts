import type { Run } from '../../command.ts';
import { showServers } from '../../show-servers.ts';
import { connectServers } from '../../wait-for-servers.ts';

export const run: Run = async (context) => {
  const { terminal, options } = context;
  const host = await context.openHost();
  await connectServers(host, context);
  const servers = host.servers.all.map((server) => server.status());
  const disabled = [...host.config.servers]
    .filter(([, { config }]) => config.enabled === false)
    .map(([name]) => name);
  if (options.flag('json')) return terminal.json({ servers, disabled });
  if (servers.length > 0) showServers(terminal.out, servers);
  if (disabled.length > 0) terminal.err.line(`Not enabled: ${disabled.join(', ')}`);
  if (servers.length + disabled.length === 0) {
    terminal.err.line(
      'No MCP server is configured. "pegboard mcp add" connects one, "pegboard mcp import" takes over those of other clients.',
    );
  }
};
