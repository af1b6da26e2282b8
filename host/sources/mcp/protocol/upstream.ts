import type { JsonObject } from '../../../api/result.ts';
import type { Clock } from '../../../api/surroundings.ts';
import type {
  Upstream,
  UpstreamCallOptions,
  UpstreamCapabilities,
  UpstreamEvent,
  UpstreamPrompt,
  UpstreamResource,
  UpstreamResourceTemplate,
} from '../../../api/mcp/upstream.ts';
import { openDeadline } from '../../../core/async/deadline.ts';
import { ConnectionLost } from '../transport/connection-lost.ts';
import { callerOfClient, type Connections } from '../connection/connections.ts';
import type { Listeners } from '../connection/listeners.ts';
import type { ResourceSubscriptions } from '../connection/resource-subscriptions.ts';
import { listAll } from '../catalog/listing.ts';
import { requestMeta } from '../transport/request-meta.ts';
import { prompt, resource, resourceTemplate, type Fit, type ReportLeftOut } from './fit.ts';
import { toResult } from './result.ts';
import { isObject } from '../transport/rpc-message.ts';
import { unavailable } from '../connection/supervisor.ts';

export interface UpstreamOptions {
  readonly name: string;
  readonly connections: Connections;
  /** Each client has a connection of its own. */
  readonly isPerClient: boolean;
  /** Seconds that one request may take. */
  readonly timeout: number;
  readonly clock: Clock;
  readonly capabilities: () => UpstreamCapabilities | undefined;
  readonly info: () => JsonObject | undefined;
  readonly events: Listeners<UpstreamEvent>;
  readonly subscriptions: ResourceSubscriptions;
  readonly reportLeftOut: ReportLeftOut;
}

/** The resources and prompts of a server, as it sends them. */
export function createUpstream(options: UpstreamOptions): Omit<Upstream, 'module' | 'introduced'> {
  const { name, connections, isPerClient, capabilities, info, events, subscriptions } = options;
  const request: Request = (method, params, given = {}) => requestWithRetry(options, method, params, given);
  const list = async (
    { capability, method, key, what, identifier, fit }: ListMethod,
    given: UpstreamCallOptions = {},
  ): Promise<readonly JsonObject[]> => {
    using lease = connections.acquire(callerOfClient(given.client));
    if (capabilities() === undefined) await lease.supervisor.ready(given.signal);
    if (capabilities()?.[capability] === undefined) return [];
    const { items } = await listAll((page, params) => request(page, params, given), method, key);
    return items.flatMap((item, index) => {
      const id = (item as JsonObject | null)?.[identifier];
      const one = `${what} ${typeof id === 'string' ? id : `number ${index + 1}`}`;
      const fitting = fit(item, '', (path) => options.reportLeftOut(one, path));
      if (fitting === undefined) options.reportLeftOut(one, `name or ${identifier}`);
      return isObject(fitting) ? [fitting] : [];
    });
  };

  return {
    name,
    capabilities,
    info,
    isPerClient,
    async connectFor({ client, signal }) {
      using lease = connections.acquire(callerOfClient(client ?? { headers: {} }));
      await lease.supervisor.ready(signal);
    },
    listResources: async (given) => (await list(lists.resources, given)) as readonly UpstreamResource[],
    listResourceTemplates: async (given) =>
      (await list(lists.resourceTemplates, given)) as readonly UpstreamResourceTemplate[],
    listPrompts: async (given) => (await list(lists.prompts, given)) as readonly UpstreamPrompt[],
    readResource: (uri, given) => request('resources/read', { uri }, given),
    getPrompt: (prompt, args, given) =>
      request('prompts/get', { name: prompt, ...(args && { arguments: args }) }, given),
    complete: (params, given) => request('completion/complete', params, given),
    subscribe: (uri, client) => subscriptions.subscribe(uri, client),
    unsubscribe: (uri, client) => subscriptions.unsubscribe(uri, client),
    onEvent: (listener) => events.add(listener),
  };
}

type Request = (method: string, params: JsonObject, options?: UpstreamCallOptions) => Promise<JsonObject>;

interface ListMethod {
  readonly capability: 'resources' | 'prompts';
  readonly method: string;
  /** The key of the items in a result. */
  readonly key: string;
  /** An item in words. */
  readonly what: string;
  /** The key that identifies an item. Items without it, or without a name, are left out. */
  readonly identifier: string;
  readonly fit: Fit;
}

const lists = {
  resources: {
    capability: 'resources',
    method: 'resources/list',
    key: 'resources',
    what: 'the resource',
    identifier: 'uri',
    fit: resource,
  },
  resourceTemplates: {
    capability: 'resources',
    method: 'resources/templates/list',
    key: 'resourceTemplates',
    what: 'the resource template',
    identifier: 'uriTemplate',
    fit: resourceTemplate,
  },
  prompts: {
    capability: 'prompts',
    method: 'prompts/list',
    key: 'prompts',
    what: 'the prompt',
    identifier: 'name',
    fit: prompt,
  },
} as const satisfies Record<string, ListMethod>;

/** These requests only read, so one that is lost with its connection is sent once more. */
async function requestWithRetry(
  { name, connections, timeout, clock, reportLeftOut }: UpstreamOptions,
  method: string,
  params: JsonObject,
  options: UpstreamCallOptions,
): Promise<JsonObject> {
  const caller = callerOfClient(options.client);
  using deadline = openDeadline(timeout * 1000, options.signal, clock);
  using lease = connections.acquire(caller);
  const { signal } = deadline;
  const { supervisor } = lease;
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
            session: caller.session,
            peer,
            between: client?.session,
          },
        }),
      });
      return toResult(method, result, (path) => reportLeftOut(`a result of ${method}`, path));
    } catch (cause) {
      if (!(cause instanceof ConnectionLost)) throw cause;
      if (cause.wasNotRun) supervisor.lost(connection, cause.message);
      if (attempt > 1 || cause.fate === 'answered') throw unavailable(name, cause.message, cause);
    }
  }
}
