import { untilAborted } from '../../core/deadline.ts';
import type { Host } from '../../host.ts';
import type { Context } from './command.ts';
import { openWaiting } from './terminal/progress.ts';

type Place = Pick<Context, 'terminal' | 'signal'>;

/** Until every MCP server is connected or has given up. A spinner says so when it takes long. */
export async function connectServers(host: Host, { terminal, signal }: Place): Promise<void> {
  if (host.servers.all.length === 0) return;
  const waiting = openWaiting(terminal, 'Connecting MCP servers');
  try {
    await untilAborted(host.servers.settled(), signal);
  } finally {
    waiting[Symbol.dispose]();
  }
}

/** Until it is known what every server offers: those that were connected before are remembered, and not started. */
export async function knowServers(host: Host, { terminal, signal }: Place): Promise<void> {
  const unknown = host.servers.all.filter((server) => server.capabilities() === undefined);
  if (unknown.length === 0) return;
  const waiting = openWaiting(terminal, `Asking ${unknown.map(({ name }) => name).join(', ')} for tools`);
  try {
    // One that doesn't answer has a diagnostic that says why.
    await untilAborted(Promise.allSettled(unknown.map((server) => server.connect())), signal);
  } finally {
    waiting[Symbol.dispose]();
  }
}
