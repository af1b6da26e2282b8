import type { Logger } from '../../../api/log.ts';
import type { ClientSession, McpClient } from '../../../api/mcp/peer.ts';
import type { UpstreamEvent } from '../../../api/mcp/upstream.ts';
import type { JsonObject } from '../../../api/result.ts';
import type { Clock } from '../../../api/surroundings.ts';
import { openDeadline } from '../../../core/async/deadline.ts';
import { createRefresh } from '../catalog/refresh.ts';
import type { ServerListing } from '../catalog/server-listing.ts';
import { defaultConnectTimeoutSeconds, defaultTimeoutSeconds, type McpServerConfig } from '../config.ts';
import type { Credentials } from '../oauth/credentials.ts';
import type { ResolvedServer } from '../resolve.ts';
import { createConnections, isPerClient } from './client-connections.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import { createListeners, type Listeners } from './listeners.ts';
import { listTools, openServer } from './open-server.ts';
import { createResourceSubscriptions, type ResourceSubscriptions } from './resource-subscriptions.ts';

/** The connections of one server. While open, they keep its listing up to date. */
export interface ServerConnections extends AsyncDisposable {
  readonly connections: Connections;
  /** What the server announces about its resources and prompts. */
  readonly events: Listeners<UpstreamEvent>;
  readonly subscriptions: ResourceSubscriptions;
}

export interface ServerConnectionsOptions {
  readonly name: string;
  readonly config: McpServerConfig;
  /** Of Pegboard, sent in the handshake. */
  readonly version: string;
  /** Of time limits. */
  readonly clock: Clock;
  readonly log: Logger;
  readonly credentials: Credentials;
  readonly listing: ServerListing;
  readonly resolve: (headers: McpClient['headers'] | undefined) => ResolvedServer;
  readonly redact: <T>(value: T) => T;
}

const relistMs = 10 * 60_000;
/** Notifications come in bursts. */
const debounceMs = 50;

export function createServerConnections(options: ServerConnectionsOptions): ServerConnections {
  const { name, config, clock, log, credentials, listing, resolve } = options;
  const timeoutMs = (config.connectTimeout ?? defaultConnectTimeoutSeconds) * 1000;
  const perClient = isPerClient(config);
  const events = createListeners<UpstreamEvent>(log);

  const open = async (
    server: ResolvedServer,
    signal: AbortSignal,
    owner: () => ClientSession | undefined,
  ): Promise<Connection> => {
    const { connection, tools } = await openServer(server, {
      name,
      config,
      version: options.version,
      log,
      era: listing.known?.era,
      transport: listing.known?.transport,
      signal,
      timeoutMs,
      auth: await credentials.for(server),
      owner,
      onNotification: (method, params) => onNotification(method, params, owner()?.id),
      redact: options.redact,
      onOddity: (code, message) => listing.warn(code, message),
      reportLeftOut: listing.reportLeftOut,
    });
    await listing.update(connection, tools);
    const uris = subscriptions.urisOf(owner());
    if (uris)
      connection.subscriptions
        .watch(uris)
        .catch((cause: unknown) => log.warn('subscribing again failed', { cause }));
    return connection;
  };
  const connections = createConnections({
    name,
    config,
    timeoutMs,
    clock,
    resolve,
    open,
    mayTryAgain: () => credentials.haveChanged(),
    onChange: () => listing.announce(),
  });
  const subscriptions = createResourceSubscriptions({
    name,
    connections,
    isPerClient: perClient,
    timeout: config.timeout ?? defaultTimeoutSeconds,
    clock,
  });

  /** The open connections. A single one may still be connecting, with a first list that is older than the change. */
  const settled = async (): Promise<readonly Connection[]> => {
    if (connections.open.length === 0 && !perClient && connections.state === 'connecting')
      await connections.connect().catch(() => undefined);
    return connections.open;
  };
  const relist = createRefresh(debounceMs, async () => {
    for (const connection of await settled()) {
      try {
        using deadline = openDeadline(timeoutMs, undefined, clock);
        const tools = await listTools(name, connection, deadline.signal);
        await listing.update(connection, tools);
      } catch (cause) {
        log.warn('its tools could not be listed again', { cause });
      }
    }
  });
  const timer = setInterval(() => relist.request(), relistMs).unref();

  /** `session`: of the client that owns the connection; undefined for a shared one. */
  const onNotification = (
    method: string,
    params: JsonObject | undefined,
    session: string | undefined,
  ): void => {
    if (method === 'notifications/tools/list_changed') return relist.request();
    const event = toEvent(method, params, session);
    if (event) events.emit(event);
  };

  return {
    connections,
    events,
    subscriptions,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      relist[Symbol.dispose]();
      await connections[Symbol.asyncDispose]();
    },
  };
}

function toEvent(
  method: string,
  params: JsonObject | undefined,
  session: string | undefined,
): UpstreamEvent | undefined {
  switch (method) {
    case 'notifications/resources/list_changed':
      return { type: 'resources_changed', session };
    case 'notifications/prompts/list_changed':
      return { type: 'prompts_changed', session };
    case 'notifications/resources/updated':
      return typeof params?.['uri'] === 'string'
        ? { type: 'resource_updated', uri: params['uri'], session }
        : undefined;
    default:
      return undefined;
  }
}
