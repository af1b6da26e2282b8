import { pegboard } from '../../core/own-command.ts';
import { untilAborted } from '../../core/async/deadline.ts';
import type { Host } from '../../host.ts';
import type { Context } from '../command.ts';
import { openSpinner } from '../terminal/progress.ts';
import { oneLine } from '../terminal/safe.ts';
import type { McpSource } from '../../sources/mcp/mcp-source.ts';

type Place = Pick<Context, 'terminal' | 'signal'>;

/** Waits until every MCP server is connected or has failed, with a spinner when it takes long. */
export async function connectServers(host: Host, { terminal, signal }: Place): Promise<void> {
  if (host.servers.all.length === 0) return;
  const waiting = openSpinner(terminal, 'Connecting MCP servers');
  try {
    await untilAborted(host.servers.settled(), signal);
  } finally {
    waiting[Symbol.dispose]();
  }
}

/** Waits until the tools of every server are known. Servers that were connected before are remembered, and not started. */
export async function listServers(host: Host, { terminal, signal }: Place): Promise<void> {
  const unknown = unknownServers(host);
  // A server's latest answer may still be on its way into the registry.
  if (unknown.length === 0) return untilAborted(host.registry.settled(), signal);
  const waiting = openSpinner(terminal, `Asking ${unknown.map(({ name }) => name).join(', ')} for tools`);
  try {
    // One that doesn't answer has a diagnostic that says why.
    await untilAborted(Promise.allSettled(unknown.map((server) => server.connect())), signal);
    await untilAborted(host.registry.settled(), signal);
  } finally {
    waiting[Symbol.dispose]();
  }
}

/**
 * Connects them in the background: a chat starts with the known tools. Disposing reports which servers had not answered.
 */
export function connectInBackground(
  host: Host,
  { terminal: { err } }: Pick<Context, 'terminal'>,
): Disposable {
  // A failed connection has a diagnostic of its own.
  for (const server of unknownServers(host)) server.connect().catch(() => {});
  return {
    [Symbol.dispose]() {
      const names = unknownServers(host).map(({ name }) => oneLine(name));
      if (names.length === 0) return;
      const [has, its] = names.length === 1 ? ['has', 'its'] : ['have', 'their'];
      const text = `${names.join(', ')} ${has} not answered yet, so ${its} tools were not available. \`${pegboard} mcp list\` waits for them and says why.`;
      err.line(err.style.quiet(text));
    },
  };
}

function unknownServers(host: Host): readonly McpSource[] {
  return host.servers.all.filter((server) => server.capabilities() === undefined);
}
