import type { McpClient } from '../../../api/mcp/peer.ts';
import type { JsonObject } from '../../../api/result.ts';
import type {
  Upstream,
  UpstreamCallOptions,
  UpstreamCapabilities,
  UpstreamEvent,
  UpstreamPrompt,
  UpstreamResource,
  UpstreamResourceTemplate,
} from '../../../api/mcp/upstream.ts';
import { isTimeout, openDeadline } from '../../../core/async/deadline.ts';
import { messageOf } from '../../../core/errors.ts';
import { ofClient } from './call-tool.ts';
import { ConnectionLost } from '../transport/connection-lost.ts';
import type { Connections, ConnectionLease, UpstreamCaller } from '../connection/connections.ts';
import type { Listeners } from '../connection/listeners.ts';
import { listAll } from '../catalog/listing.ts';
import { requestMeta } from '../transport/request-meta.ts';
import { withoutExchange } from './result.ts';
import { isObject } from '../transport/rpc-message.ts';
import { unavailable } from '../connection/supervisor.ts';

export interface UpstreamParts {
  readonly name: string;
  readonly connections: Connections;
  /** Each client has a connection of its own. */
  readonly isPerClient: boolean;
  /** Seconds that one request may take. */
  readonly timeout: number;
  readonly capabilities: () => UpstreamCapabilities | undefined;
  readonly info: () => JsonObject | undefined;
  readonly events: Listeners<UpstreamEvent>;
  readonly subscribed: Subscribed;
  readonly introduce: (options: UpstreamCallOptions) => Promise<void>;
}

interface Subscription {
  /** With how often each is subscribed to. */
  readonly uris: Map<string, number>;
  /** Open for as long as there are any. */
  readonly held: ConnectionLease;
}

/** By the session of the client where each has a connection of its own, else of all together, under ''. */
export type Subscribed = Map<string, Subscription>;

/** The resources and prompts of a server, as it gives them. Reading once more does no harm, so a lost request is repeated. */
export function createUpstream(parts: UpstreamParts): Upstream {
  const { name, connections, isPerClient, timeout, capabilities, events, subscribed } = parts;

  const releaseUnused = (session: string, own: Subscription): void => {
    if (own.uris.size > 0) return;
    if (subscribed.get(session) === own) subscribed.delete(session);
    own.held[Symbol.dispose]();
  };
  const keyOf = (caller: UpstreamCaller): string => (isPerClient ? (caller.session ?? '') : '');

  const request = async (
    method: string,
    params: JsonObject,
    options: UpstreamCallOptions = {},
  ): Promise<JsonObject> => {
    using deadline = openDeadline(timeout * 1000, options.signal);
    using held = connections.hold(callerOf(options.client));
    const { signal } = deadline;
    const { supervisor } = held;
    for (let attempt = 1; ; attempt++) {
      const connection = await supervisor.ready(signal);
      try {
        const { ask, peer, client } = options;
        const result = await connection.request(method, params, {
          signal,
          onProgress: options.onProgress,
          meta: requestMeta(options.meta),
          ...((ask ?? peer) && {
            asker: {
              ask: async (question, asked) =>
                ask ? await deadline.pausedFor(() => ask(question, asked)) : { action: 'decline' },
              signal,
              session: callerOf(client).session,
              peer,
              between: client?.session,
            },
          }),
        });
        return withoutExchange(result);
      } catch (cause) {
        if (!(cause instanceof ConnectionLost)) throw cause;
        if (cause.wasNotRun) supervisor.lost(connection, cause.message);
        if (attempt > 1 || cause.fate === 'answered') throw unavailable(name, cause.message, cause);
      }
    }
  };

  const list = async (
    offered: 'resources' | 'prompts',
    method: string,
    key: string,
    identifier: string,
    options: UpstreamCallOptions = {},
  ): Promise<readonly JsonObject[]> => {
    using held = connections.hold(callerOf(options.client));
    if (capabilities() === undefined) await held.supervisor.ready(options.signal);
    if (capabilities()?.[offered] === undefined) return [];
    const { items } = await listAll((page, params) => request(page, params, options), method, key);
    return items.filter(
      (item): item is JsonObject =>
        isObject(item) && typeof item[identifier] === 'string' && typeof item['name'] === 'string',
    );
  };

  const watch = async ({ uris, held }: Subscription): Promise<void> => {
    using deadline = openDeadline(timeout * 1000);
    try {
      const connection = await held.supervisor.ready(deadline.signal);
      await connection.subscriptions.watch(new Set(uris.keys()), deadline.signal);
    } catch (cause) {
      throw isTimeout(cause) ? unavailable(name, `resources/subscribe ${messageOf(cause)}`, cause) : cause;
    }
  };

  return {
    name,
    capabilities,
    info: parts.info,
    isPerClient,
    introduce: parts.introduce,
    listResources: async (options) =>
      (await list('resources', 'resources/list', 'resources', 'uri', options)) as readonly UpstreamResource[],
    listResourceTemplates: async (options) =>
      (await list(
        'resources',
        'resources/templates/list',
        'resourceTemplates',
        'uriTemplate',
        options,
      )) as readonly UpstreamResourceTemplate[],
    listPrompts: async (options) =>
      (await list('prompts', 'prompts/list', 'prompts', 'name', options)) as readonly UpstreamPrompt[],
    readResource: (uri, options) => request('resources/read', { uri }, options),
    getPrompt: (prompt, args, options) =>
      request('prompts/get', { name: prompt, ...(args && { arguments: args }) }, options),
    complete: (params, options) => request('completion/complete', params, options),
    async subscribe(uri, client) {
      const caller = callerOf(client);
      const session = keyOf(caller);
      const own = subscribed.get(session) ?? { uris: new Map(), held: connections.hold(caller) };
      subscribed.set(session, own);
      const times = own.uris.get(uri) ?? 0;
      own.uris.set(uri, times + 1);
      if (times > 0) return;
      try {
        await watch(own);
      } catch (cause) {
        own.uris.delete(uri);
        releaseUnused(session, own);
        throw cause;
      }
    },
    async unsubscribe(uri, client) {
      const session = keyOf(callerOf(client));
      const own = subscribed.get(session);
      const times = own?.uris.get(uri) ?? 0;
      if (!own || times === 0) return;
      if (times > 1) return void own.uris.set(uri, times - 1);
      own.uris.delete(uri);
      try {
        await watch(own);
      } finally {
        releaseUnused(session, own);
      }
    },
    onEvent: (listener) => events.add(listener),
  };
}

/** A request without a client is one by itself. */
const callerOf = (client: McpClient | undefined): UpstreamCaller =>
  client ? ofClient(client) : { session: undefined };
