import type { Run } from '../command.ts';
import { parseAddress, showConnection, startHttp } from '../serve-http.ts';
import { untilStopped } from '../until-stopped.ts';

export const run: Run = async (context) => {
  const { terminal, options, signal, command } = context;
  const http = options.flag('http');
  if (http) parseAddress(options.value('http')!, command);
  const host = await context.openHost({ mcp: 'connect', watch: true });
  const server = http ? await startHttp(host, context) : undefined;
  const { style } = terminal.err;
  terminal.err.line(
    `${style.good('running')} ${host.registry.snapshot.tools.size} tools of ${style.title(host.home)}`,
  );
  if (server) showConnection(terminal.err, server, host.config.serve.token !== undefined);
  await untilStopped(signal);
  await server?.close();
};
