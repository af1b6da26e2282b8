import type { ClientSession, McpClient } from '../../../api/mcp/peer.ts';
import type { Clock } from '../../../api/surroundings.ts';
import { isTimeout, openDeadline } from '../../../core/async/deadline.ts';
import { messageOf } from '../../../core/errors.ts';
import { callerOfClient, type ConnectionLease, type Connections } from './connections.ts';
import { unavailable } from './supervisor.ts';

/** The resources of one server that clients subscribe to. They outlive a connection: the next one renews them. */
export interface ResourceSubscriptions {
  /** Rejects when the server can't be reached or refuses; the client is then not subscribed. */
  subscribe(uri: string, client?: McpClient): Promise<void>;
  unsubscribe(uri: string, client?: McpClient): Promise<void>;
  /** What a connection has to watch; undefined: nothing. `owner`: the client of a connection that belongs to one. */
  urisOf(owner: ClientSession | undefined): ReadonlySet<string> | undefined;
}

export interface ResourceSubscriptionsOptions {
  readonly name: string;
  readonly connections: Connections;
  /** Each client has a connection of its own. */
  readonly isPerClient: boolean;
  /** Seconds that one request may take. */
  readonly timeout: number;
  /** Of time limits. */
  readonly clock: Clock;
}

/** The subscriptions that share a connection. */
interface Group {
  /** The resources, with their number of subscribers. */
  readonly uris: Map<string, number>;
  /** Keeps the connection open as long as there are subscriptions. */
  readonly lease: ConnectionLease;
}

export function createResourceSubscriptions(options: ResourceSubscriptionsOptions): ResourceSubscriptions {
  const { name, connections, isPerClient, timeout, clock } = options;
  /** By the client's session; '' if the connection is shared. */
  const groups = new Map<string, Group>();
  const keyOf = (session: string | undefined): string => (isPerClient ? (session ?? '') : '');

  const watch = async ({ uris, lease }: Group): Promise<void> => {
    using deadline = openDeadline(timeout * 1000, undefined, clock);
    try {
      const connection = await lease.supervisor.ready(deadline.signal);
      await connection.subscriptions.watch(new Set(uris.keys()), deadline.signal);
    } catch (cause) {
      throw isTimeout(cause) ? unavailable(name, `resources/subscribe ${messageOf(cause)}`, cause) : cause;
    }
  };
  const releaseUnused = (key: string, group: Group): void => {
    if (group.uris.size > 0) return;
    if (groups.get(key) === group) groups.delete(key);
    group.lease[Symbol.dispose]();
  };

  return {
    async subscribe(uri, client) {
      const caller = callerOfClient(client);
      const key = keyOf(caller.session);
      const group = groups.get(key) ?? { uris: new Map(), lease: connections.acquire(caller) };
      groups.set(key, group);
      const count = group.uris.get(uri) ?? 0;
      group.uris.set(uri, count + 1);
      if (count > 0) return;
      try {
        await watch(group);
      } catch (cause) {
        group.uris.delete(uri);
        releaseUnused(key, group);
        throw cause;
      }
    },
    async unsubscribe(uri, client) {
      const key = keyOf(callerOfClient(client).session);
      const group = groups.get(key);
      const count = group?.uris.get(uri) ?? 0;
      if (!group || count === 0) return;
      if (count > 1) return void group.uris.set(uri, count - 1);
      group.uris.delete(uri);
      try {
        await watch(group);
      } finally {
        releaseUnused(key, group);
      }
    },
    urisOf(owner) {
      // Clients without a session share '', whatever their credentials: no connection may renew it for all of them.
      if (isPerClient && !owner) return undefined;
      const group = groups.get(keyOf(owner && `client ${owner.id}`));
      return group && new Set(group.uris.keys());
    },
  };
}
