import { pegboardAnywhere } from 'pegboard/kit';
import { growYoungGenerationWhenBusy } from 'pegboard/serving';
import {
  type CommandHandler,
  type Context,
  modeOption,
  openRunning,
  parseAddress,
  untilStopped,
  usageError,
} from 'pegboard/terminal';
import { startHttp } from '../serving/serve-http.ts';
import { toServedHost } from '../serving/to-served-host.ts';

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
  server.show(context.terminal.err);
  await untilStopped(context.signal);
  await server.close();
}

/** Resolves when the client closes its end, or at a signal. */
async function serveOnStdio(context: Context): Promise<void> {
  const { options, terminal, surroundings, signal } = context;
  const host = await openRunning(context, { mcp: 'connect', watch: true });
  await using _tidying = host.keepTidy();
  const { serveStdio } = await import('../stdio/stdio.ts');
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
