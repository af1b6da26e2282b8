import type { Logger, Scope } from 'pegboard';
import { openDeadline } from 'pegboard/channels';
import { admitsModule, messageOf, untilAborted } from 'pegboard/kit';
import type { Upstream } from 'pegboard/serving';
import type { ServedHost } from '../served-host.ts';

/** Items of several servers in one list, with their server and their name there. */
export interface UpstreamItem<T> {
  readonly upstream: Upstream;
  /** As its own server knows it. */
  readonly item: T;
}

/** A server that doesn't answer in this time is left out, so that the others are still listed. */
const listWithinMs = 5_000;

/** The servers of this selection that offer `what`, as far as is known. */
export function upstreamsWith(
  host: ServedHost,
  scope: Scope,
  what: 'resources' | 'prompts' | 'completions',
): readonly Upstream[] {
  return host.upstreams.filter((upstream) => {
    const capabilities = upstream.capabilities();
    return admitsModule(upstream.module, scope) && (!capabilities || capabilities[what] !== undefined);
  });
}

/** Everything that the servers list, in their order. A server that fails is logged and left out. */
export async function listAll<T>(
  upstreams: readonly Upstream[],
  method: string,
  list: (upstream: Upstream, signal: AbortSignal) => Promise<readonly T[]>,
  log: Logger,
): Promise<readonly UpstreamItem<T>[]> {
  const lists = await Promise.all(
    upstreams.map(async (upstream) => {
      using deadline = openDeadline(listWithinMs);
      try {
        const items = await untilAborted(list(upstream, deadline.signal), deadline.signal);
        return items.map((item) => ({ upstream, item }));
      } catch (cause) {
        log.warn(`${upstream.name} is left out of ${method}: ${messageOf(cause)}`);
        return [];
      }
    }),
  );
  return lists.flat();
}
