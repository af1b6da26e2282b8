import type { McpClient } from '../../api/mcp/peer.ts';
import { openDeadline, untilAborted } from '../../core/async/deadline.ts';
import { messageOf } from '../../core/errors.ts';
import { admitsModule } from '../../tools/access.ts';
import type { Endpoint } from '../endpoint.ts';

/** A server that takes longer is listed later: the client is notified that the list has changed. */
const withinMs = 5_000;

/** Servers that are connected with what a client brings can be listed once a first one has come. */
export async function connectForClient(
  { host, scope }: Endpoint,
  client: McpClient,
  signal: AbortSignal,
): Promise<void> {
  const unknown = host.upstreams.filter(
    (upstream) =>
      upstream.isPerClient && upstream.capabilities() === undefined && admitsModule(upstream.name, scope),
  );
  if (unknown.length === 0) return;
  using deadline = openDeadline(withinMs, signal);
  const met = unknown.map((upstream) =>
    untilAborted(upstream.connectFor({ client }), deadline.signal).catch((cause: unknown) =>
      host.log.warn(`${upstream.name} is left out of tools/list: ${messageOf(cause)}`),
    ),
  );
  await Promise.all(met);
  await host.registry.settled();
}
