import { growWhenBusy } from '../../../../core/new-space.ts';
import type { Context, Run } from '../../command.ts';
import { modeOption } from '../../mode-option.ts';
import { usageError } from '../../parse.ts';
import { parseAddress, showConnection, startHttp } from '../../serve-http.ts';
import { toServedHost } from '../../served-host.ts';
import { untilStopped } from '../../until-stopped.ts';

export const run: Run = (context) => {
  const { options, command } = context;
  modeOption(context);
  if (!options.flag('http')) return serveOnStdio(context);
  if (options.flag('stdio')) throw usageError(command, 'Either --stdio or --http, not both.');
  parseAddress(options.value('http')!, command);
  return serveOnHttp(context);
};

async function serveOnHttp(context: Context): Promise<void> {
  const host = await context.openHost({ mcp: 'connect', watch: true });
  await using _tidying = host.keepTidy();
  const server = await startHttp(host, context);
  growWhenBusy();
  showConnection(context.terminal.err, server, host.config.serve.token !== undefined);
  await untilStopped(context.signal);
  await server.close();
}

/** Until the client closes its end, or a signal. */
async function serveOnStdio(context: Context): Promise<void> {
  const { openHost, options, terminal, signal } = context;
  const host = await openHost({ mcp: 'connect', watch: true });
  await using _tidying = host.keepTidy();
  const { serveStdio } = await import('../../../mcp-server/stdio.ts');
  const preset = options.value('preset');
  const server = await serveStdio(toServedHost(host, context), preset === undefined ? {} : { preset });
  growWhenBusy();
  if (process.stdin.isTTY) {
    terminal.err.line(
      'Speaking MCP on stdin and stdout: a client starts this itself. Claude Code: claude mcp add pegboard -- pegboard serve',
    );
  }
  await Promise.race([server.closed, untilStopped(signal)]);
  await server.close();
}
