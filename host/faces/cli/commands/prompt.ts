import { createInterface } from 'node:readline';
import type { CompleterResult } from 'node:readline';
import type { Host } from '../../../host.ts';
import type { Context, Run } from '../command.ts';
import { complete, assignments, toolNames } from '../complete.ts';
import { openHistory } from '../prompt/history.ts';
import { createLineReader } from '../prompt/read-line.ts';
import { createSession } from '../prompt/session.ts';
import { knowServers } from '../wait-for-servers.ts';

export const run: Run = (context) =>
  context.terminal.interactive ? runInteractive(context) : runPiped(context);

/** One command a line, like a shell reading a script: a failed one doesn't stop the others, and the last one's code counts. */
async function runPiped(context: Context): Promise<number> {
  const host = await context.openHost();
  await knowServers(host, context);
  const session = createSession(host, context);
  let code = 0;
  for await (const line of createInterface({ input: process.stdin })) {
    if (context.signal.aborted) break;
    const ended = await session.run(line);
    if (ended === undefined) break;
    code = ended;
  }
  return code;
}

async function runInteractive(context: Context): Promise<number> {
  const { terminal, home, signal } = context;
  const host = await context.openHost({ mcp: 'connect', watch: true });
  const session = createSession(host, context);
  const history = await openHistory(home);
  greet(host, context);
  const { style } = terminal.err;
  const reader = createLineReader(terminal, `${style.name('pegboard')} ${style.quiet('›')} `, (line) =>
    completeLine(line, host),
  );
  while (!signal.aborted) {
    const line = await reader.next(history.lines);
    if (line === undefined) {
      terminal.err.line();
      break;
    }
    if (line.trim() !== '') await remember(line, history, host);
    if ((await session.run(line)) === undefined) break;
  }
  return 0;
}

function greet(host: Host, { terminal }: Context): void {
  const { err } = terminal;
  const { style } = err;
  const tools = host.registry.snapshot.tools.size;
  const servers = host.servers.all.length;
  const counts = `${tools} tools${servers === 0 ? '' : `, ${servers} MCP server${servers === 1 ? '' : 's'}`}`;
  err.line(`${style.title('Pegboard')} ${host.version}  ${style.quiet(`${host.home} · ${counts}`)}`);
  const errors = host.diagnostics.filter(({ severity }) => severity === 'error').length;
  if (errors > 0)
    err.line(style.warning(`${errors} thing${errors === 1 ? '' : 's'} to mend: "lint" shows them.`));
  err.line(`Say what you want, or ${style.name('tools')}, ${style.name('help')}, ${style.name('quit')}.\n`);
}

/** A home that can't be written to has no history; that must not disturb. */
async function remember(
  line: string,
  history: Awaited<ReturnType<typeof openHistory>>,
  host: Host,
): Promise<void> {
  try {
    await history.add(line);
  } catch (cause) {
    host.log.warn('the history could not be written', { cause });
  }
}

/** Commands and tools at the beginning, then as in a shell; the tool's parameters behind its bare name. */
async function completeLine(line: string, host: Host): Promise<CompleterResult> {
  const words = line.replace(/^\s*\/?/, '').split(/\s+/);
  const last = words.at(-1)!;
  const { snapshot } = host.registry;
  const found = await complete(words, {
    snapshot: async () => snapshot,
    servers: async () => host.servers.all.map(({ module }) => module),
  });
  const names = words.length === 1 ? toolNames(snapshot).filter((name) => name.startsWith(last)) : [];
  const tool = words.length > 1 && found.length === 0 ? snapshot.find(words[0]!) : undefined;
  const own = tool ? assignments(tool, last).filter((text) => text.startsWith(last)) : [];
  const all = [...found, ...names, ...own];
  return [all.map((text) => (text.endsWith('=') || all.length > 1 ? text : `${text} `)), last];
}
