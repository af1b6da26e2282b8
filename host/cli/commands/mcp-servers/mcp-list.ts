import { pegboard } from '../../../core/own-command.ts';
import type { CommandHandler } from '../../command.ts';
import { showServers } from '../../servers/show-servers.ts';
import { showDiagnostics } from '../../terminal/diagnostics.ts';
import { diagnosticToJson } from '../../../status/diagnostic-json.ts';
import { connectServers } from '../../servers/wait-for-servers.ts';

export const run: CommandHandler = async (context) => {
  const { terminal, options } = context;
  const host = await context.openHost();
  await connectServers(host, context);
  const servers = host.servers.all.map((server) => server.status());
  const disabled = [...host.config.servers]
    .filter(([, { config }]) => config.enabled === false)
    .map(([name]) => name);
  const invalid = host.diagnostics.filter(({ code }) => code === 'bad-server');
  if (options.flag('json'))
    return terminal.json({
      servers,
      disabled,
      invalid: invalid.map((diagnostic) => diagnosticToJson(diagnostic, host.home)),
    });
  if (servers.length > 0) showServers(terminal.out, servers);
  if (disabled.length > 0) terminal.err.line(`Not enabled: ${disabled.join(', ')}`);
  if (invalid.length > 0) {
    terminal.err.line('Left out, because the entry is invalid:');
    showDiagnostics(terminal.err, invalid, host.home);
  }
  if (servers.length + disabled.length + invalid.length === 0) {
    terminal.err.line(
      `No MCP server is configured. "${pegboard} mcp add" connects one, "${pegboard} mcp import" imports those of other clients.`,
    );
  }
};
