import { join } from 'node:path';
import { pegboard } from '../../../core/own-command.ts';
import { messageOf, PegboardError } from '../../../core/errors.ts';
import { untilAborted } from '../../../core/async/deadline.ts';
import type { Host } from '../../../host.ts';
import type { Context } from '../../command.ts';
import { writtenConfigFile } from '../../../write-config.ts';
import { getServer } from '../../servers/find-server.ts';
import { showDiagnostics } from '../../terminal/diagnostics.ts';
import { openSpinner } from '../../terminal/progress.ts';
import { oneLine } from '../../terminal/safe.ts';
import { renderTable } from '../../terminal/table.ts';
import { diagnosticToJson } from '../../../status/diagnostic-json.ts';
import type { McpSource } from '../../../sources/mcp/mcp-source.ts';

/** Connects a server that was just written, and shows its tools. Exit code 1 when it can't be reached; the entry stays. */
export async function connectAdded(name: string, host: Host, context: Context): Promise<number> {
  const { home, options, terminal } = context;
  await host.reloadConfig();
  const server = getServer(host, name);
  const failure = await connect(server, context);
  const status = server.status();
  if (options.flag('json')) {
    const { tools, diagnostics = [] } = await server.list();
    terminal.json({
      server: status,
      tools: tools.map((tool) => ({ id: `${name}.${tool.name}`, description: tool.description })),
      diagnostics: diagnostics.map((diagnostic) => diagnosticToJson(diagnostic, home)),
      ...(failure && { error: { code: failure.code, message: failure.message } }),
    });
  } else if (failure) {
    terminal.err.line(`${terminal.err.style.warning('not connected:')} ${oneLine(failure.message)}`);
    terminal.err.line(
      `${name} is written to ${join(home, writtenConfigFile(home))}. "${pegboard} mcp remove ${name}" removes it again.`,
    );
  } else await showTools(server, context);
  return failure ? 1 : 0;
}

async function connect(server: McpSource, { terminal, signal }: Context): Promise<PegboardError | undefined> {
  const waiting = openSpinner(terminal, `Connecting ${server.name}`);
  try {
    await untilAborted(server.connect(), signal);
    return undefined;
  } catch (cause) {
    if (signal.aborted) throw cause;
    return cause instanceof PegboardError
      ? cause
      : new PegboardError('PEG_SERVER_ERROR', messageOf(cause), { cause });
  } finally {
    waiting[Symbol.dispose]();
  }
}

async function showTools(server: McpSource, { terminal, home }: Context): Promise<void> {
  const { out, err } = terminal;
  const { tools, diagnostics = [] } = await server.list();
  out.line(
    `${out.style.good('connected:')} ${out.style.title(server.name)} offers ${tools.length} tool${tools.length === 1 ? '' : 's'}`,
  );
  const columns = [
    { title: '', paint: out.style.name },
    { title: '', shrinks: true, paint: out.style.quiet },
  ];
  const rows = tools.map((tool) => [`${server.name}.${tool.name}`, oneLine(tool.description)]);
  for (const line of renderTable(out, columns, rows, { indent: 2 })) out.line(line);
  showDiagnostics(err, diagnostics, home);
}
