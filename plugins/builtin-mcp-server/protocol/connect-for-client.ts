import { openDeadline } from 'pegboard/channels';
import { admitsModule, messageOf, untilAborted } from 'pegboard/kit';
import type { McpClient, Upstream } from 'pegboard/serving';
import type { Endpoint } from '../endpoint.ts';
import type { ServedHost } from '../served-host.ts';

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
      upstream.isPerClient && upstream.capabilities() === undefined && admitsModule(upstream.module, scope),
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

/** How long the first list waits, unless the host says otherwise. */
const firstListMs = 3_000;
/** All lists wait together, so that those that come later don't wait again. */
const introductions = new WeakMap<Upstream, Promise<void>>();

/**
 * Waits for servers that were never connected: a client that asks for the list once would stay without their tools. One
 * that takes longer, or fails, is listed later.
 */
export async function waitForFirst({ host, scope }: Endpoint, signal: AbortSignal): Promise<void> {
  const unknown = host.upstreams.filter(
    (upstream) =>
      !upstream.isPerClient && upstream.capabilities() === undefined && admitsModule(upstream.module, scope),
  );
  if (unknown.length === 0) return;
  const met = unknown.map((upstream) => {
    const meeting = introductions.get(upstream) ?? introduced(upstream, host);
    introductions.set(upstream, meeting);
    return meeting;
  });
  await untilAborted(Promise.all(met), signal);
  await host.registry.settled();
}

async function introduced(
  upstream: Upstream,
  { firstListTimeoutMs = firstListMs, clock }: ServedHost,
): Promise<void> {
  using deadline = openDeadline(firstListTimeoutMs, undefined, clock);
  await untilAborted(upstream.introduced(), deadline.signal).catch(() => {});
}
