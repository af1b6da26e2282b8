import { pegboardAnywhere } from '../../../core/own-command.ts';
import { growYoungGenerationWhenBusy } from '../../../core/young-generation.ts';
import type { Context, CommandHandler } from '../../command.ts';
import { modeOption } from '../../tools/mode-option.ts';
import { openRunning } from '../../open-running.ts';
import { usageError } from '../../parse.ts';
import { parseAddress, showConnection, startHttp } from '../../serving/serve-http.ts';
import { toServedHost } from '../../serving/to-served-host.ts';
import { untilStopped } from '../../until-stopped.ts';

export const run: CommandHandler = (context) => {
  const { options, command } = context;
  modeOption(context);
  if (!options.flag('http')) return serveOnStdio(context);
  if (options.flag('stdio')) throw usageError(command, 'Either --stdio or --http, not both.');
  parseAddress(options.value('http')!, command);
  return serveOnHttp(context);
};

async function serveOnHttp(context: Context): Promise<void> {
  const host = await openRunning(context, { mcp: 'connect', watch: true });
  await using _tidying = host.keepTidy();
  const server = await startHttp(host, context);
  growYoungGenerationWhenBusy();
  showConnection(context.terminal.err, server, host.config.serve.token !== undefined);
  await untilStopped(context.signal);
  await server.close();
}

/** Resolves when the client closes its end, or at a signal. */
async function serveOnStdio(context: Context): Promise<void> {
  const { options, terminal, surroundings, signal } = context;
  const host = await openRunning(context, { mcp: 'connect', watch: true });
  await using _tidying = host.keepTidy();
  const { serveStdio } = await import('../../../mcp-server/stdio/stdio.ts');
  const preset = options.value('preset');
  const server = await serveStdio(toServedHost(host, context), {
    input: surroundings.stdin,
    output: surroundings.stdout,
    ...(preset !== undefined && { preset }),
  });
  growYoungGenerationWhenBusy();
  if (surroundings.stdin.isTTY) {
    terminal.err.line(
      `Serving MCP on stdin and stdout. Clients start this command themselves. Claude Code: claude mcp add pegboard -- ${pegboardAnywhere()} serve`,
    );
  }
  await Promise.race([server.closed, untilStopped(signal)]);
  await server.close();
}
