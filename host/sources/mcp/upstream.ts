import type { JsonObject } from '../../api/result.ts';
import type {
  Upstream,
  UpstreamCallOptions,
  UpstreamCapabilities,
  UpstreamEvent,
  UpstreamPrompt,
  UpstreamResource,
  UpstreamResourceTemplate,
} from '../../api/upstream.ts';
import { isTimeout, openDeadline } from '../../core/deadline.ts';
import { messageOf } from '../../core/errors.ts';
import type { Connection } from './connection.ts';
import { ConnectionLost } from './connection-lost.ts';
import type { Listeners } from './listeners.ts';
import { listAll } from './listing.ts';
import { requestMeta } from './request-meta.ts';
import { withoutExchange } from './result.ts';
import { isObject } from './rpc-message.ts';
import { unavailable, type Supervisor } from './supervisor.ts';

export interface UpstreamParts {
  readonly name: string;
  readonly supervisor: Supervisor<Connection>;
  /** Seconds that one request may take. */
  readonly timeout: number;
  readonly capabilities: () => UpstreamCapabilities | undefined;
  readonly events: Listeners<UpstreamEvent>;
  /** Subscribed resources, with how often. */
  readonly subscribed: Map<string, number>;
}

/** The resources and prompts of a server, as it gives them. Reading once more does no harm, so a lost request is repeated. */
export function createUpstream(parts: UpstreamParts): Upstream {
  const { name, supervisor, timeout, capabilities, events, subscribed } = parts;

  const request = async (
    method: string,
    params: JsonObject,
    options: UpstreamCallOptions = {},
  ): Promise<JsonObject> => {
    using deadline = openDeadline(timeout * 1000, options.signal);
    const { signal } = deadline;
    for (let attempt = 1; ; attempt++) {
      const connection = await supervisor.ready(signal);
      try {
        const { ask, peer, conversation } = options;
        const result = await connection.request(method, params, {
          signal,
          onProgress: options.onProgress,
          meta: requestMeta(options.meta),
          ...((ask ?? peer) && {
            asker: {
              ask: async (question, asked) =>
                ask ? await deadline.pausedFor(() => ask(question, asked)) : { action: 'decline' },
              signal,
              session: conversation,
              peer,
            },
          }),
        });
        return withoutExchange(result);
      } catch (cause) {
        if (!(cause instanceof ConnectionLost)) throw cause;
        if (!cause.sent) supervisor.lost(connection, cause.message);
        if (attempt > 1) throw unavailable(name, cause.message, cause);
      }
    }
  };

  const list = async (
    offered: 'resources' | 'prompts',
    method: string,
    key: string,
    identifier: string,
    signal: AbortSignal | undefined,
  ): Promise<readonly JsonObject[]> => {
    if (capabilities() === undefined) await supervisor.ready(signal);
    if (capabilities()?.[offered] === undefined) return [];
    const options = signal && { signal };
    const { items } = await listAll((page, params) => request(page, params, options), method, key);
    return items.filter(
      (item): item is JsonObject =>
        isObject(item) && typeof item[identifier] === 'string' && typeof item['name'] === 'string',
    );
  };

  const watchSubscribed = async (): Promise<void> => {
    using deadline = openDeadline(timeout * 1000);
    try {
      const connection = await supervisor.ready(deadline.signal);
      await connection.subscriptions.watch(new Set(subscribed.keys()), deadline.signal);
    } catch (cause) {
      throw isTimeout(cause) ? unavailable(name, `resources/subscribe ${messageOf(cause)}`, cause) : cause;
    }
  };

  return {
    name,
    capabilities,
    listResources: async (signal) =>
      (await list('resources', 'resources/list', 'resources', 'uri', signal)) as readonly UpstreamResource[],
    listResourceTemplates: async (signal) =>
      (await list(
        'resources',
        'resources/templates/list',
        'resourceTemplates',
        'uriTemplate',
        signal,
      )) as readonly UpstreamResourceTemplate[],
    listPrompts: async (signal) =>
      (await list('prompts', 'prompts/list', 'prompts', 'name', signal)) as readonly UpstreamPrompt[],
    readResource: (uri, options) => request('resources/read', { uri }, options),
    getPrompt: (prompt, args, options) =>
      request('prompts/get', { name: prompt, ...(args && { arguments: args }) }, options),
    complete: (params, options) => request('completion/complete', params, options),
    async subscribe(uri) {
      const times = subscribed.get(uri) ?? 0;
      subscribed.set(uri, times + 1);
      if (times > 0) return;
      try {
        await watchSubscribed();
      } catch (cause) {
        subscribed.delete(uri);
        throw cause;
      }
    },
    async unsubscribe(uri) {
      const times = subscribed.get(uri) ?? 0;
      if (times > 1) subscribed.set(uri, times - 1);
      else if (subscribed.delete(uri)) await watchSubscribed();
    },
    onEvent: (listener) => events.add(listener),
  };
}
