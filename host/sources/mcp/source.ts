import { join } from 'node:path';
import type { TurnContext } from '../../api/conversation.ts';
import type { Logger } from '../../api/log.ts';
import type { ClientSession, McpClient } from '../../api/mcp/peer.ts';
import type { JsonObject, ToolResult } from '../../api/result.ts';
import type { Listing, ToolSource } from '../../api/source.ts';
import type { Upstream, UpstreamCallOptions, UpstreamEvent } from '../../api/mcp/upstream.ts';
import { createConcurrencyLimit } from '../../core/async/concurrency-limit.ts';
import type { Redactor } from '../../core/secrets/redact.ts';
import { callerOf, callTool, notApproved, leftOut, ofClient, type McpCall } from './protocol/call-tool.ts';
import { cutList, notInCutList } from './catalog/listing.ts';
import { openCatalogCache, type CachedCatalog } from './catalog/catalog-cache.ts';
import {
  defaultConnectTimeoutSeconds,
  defaultTimeoutSeconds,
  identityOf,
  transportOf,
  type McpServerConfig,
} from './config.ts';
import { createConnections, isPerClient } from './connection/client-connections.ts';
import { headersOfClient, needsClient } from './connection/client-headers.ts';
import type { Connection } from './connection/connection.ts';
import { createCredentials } from './oauth/credentials.ts';
import { continued } from './transport/era.ts';
import { createListeners } from './connection/listeners.ts';
import type { Listed } from './catalog/listing.ts';
import type { LoginOptions, LoginOutcome, OpenUrl } from './oauth/log-in.ts';
import { createServerWarnings } from './connection/server-warnings.ts';
import { listTools, openServer } from './connection/open-server.ts';
import { ownSampling, type SamplingModel } from './protocol/own-sampling.ts';
import type { PendingTool, PinStore } from './approval/pins.ts';
import { createOffered } from './catalog/offered.ts';
import { createRefresh } from './catalog/refresh.ts';
import { resolveServer, type ResolvedServer } from './resolve.ts';
import { createToolCatalog } from './catalog/tool-catalog.ts';
import { statusOfServer, type McpStatus } from './status.ts';
import { unavailable } from './connection/supervisor.ts';
import { createUpstream, type Subscribed } from './protocol/upstream.ts';
import { visibleText } from '../../core/foreign/visible-text.ts';

export type { McpStatus } from './status.ts';

export interface McpDeps {
  /** What a relative `cwd` starts from. */
  readonly home: string;
  /** Folder for what is remembered of the servers. */
  readonly data: string;
  readonly resolve: (name: string) => string | undefined;
  readonly redactor: Pick<Redactor, 'add' | 'value'>;
  readonly log: Logger;
  /** Of Pegboard, as servers are told. */
  readonly version: string;
  /** What was approved of them. */
  readonly pins: PinStore;
  /** Asks the model of an agent; absent: no agents are here. */
  readonly complete?: SamplingModel;
}

/** The tools, resources and prompts of one MCP server, whether it runs at the moment or not. */
export interface McpSource extends ToolSource, Upstream {
  readonly config: McpServerConfig;
  /** What the server says about its use; undefined until it is approved. */
  readonly instructions: string | undefined;
  /** Connects now. Throws a PegboardError that says why it can't; a person's next step is in its message. */
  connect(): Promise<void>;
  status(): McpStatus;
  /** Runs a tool, also one that the configuration blocks; one that changed after approval is refused. */
  callTool(tool: string, args: unknown, call: McpCall): Promise<ToolResult>;
  /**
   * Logs in with OAuth and connects: `openUrl` sends a person's browser to where it is done. Throws
   * PEG_SERVER_UNAUTHORIZED, PEG_USAGE for a server that needs no login, and the signal's reason.
   */
  login(openUrl: OpenUrl, options?: LoginOptions): Promise<LoginOutcome>;
  /** New or changed since the server was first seen: neither listed nor callable. */
  readonly held: readonly PendingTool[];
  /** Approves what was held back as it was then; what has changed since stays held back. */
  approve(held: readonly PendingTool[]): Promise<void>;
  /** Holds back whatever it says from now on, until it is approved. False: nothing was approved. */
  revoke(): Promise<boolean>;
  /** Another process may have approved something. */
  judgeAgain(): void;
  /** Another process may have logged in: connects where that was all that it lacked. */
  loginMayHaveChanged(): void;
}

const relistMs = 10 * 60_000;
/** Notifications come in bursts. */
const debounceMs = 50;
/** Characters of what its instructions begin with. */
const maxDescriptionLength = 300;
/** How many calls a server gets at once, and how the others wait: less than a call's own time limit. */
const callLimits = { limit: 32, maxQueued: 500, queueTimeoutMs: 30_000 };

/** Lists at once what the server offered last time; the SDK is loaded and the server started when first needed. */
export function createMcpSource(name: string, config: McpServerConfig, deps: McpDeps): McpSource {
  const log = deps.log.child(`mcp:${name}`);
  const identity = identityOf(config);
  const timeout = config.timeout ?? defaultTimeoutSeconds;
  const timeoutMs = (config.connectTimeout ?? defaultConnectTimeoutSeconds) * 1000;
  const catalogue = openCatalogCache(join(deps.data, 'catalogue'));
  const credentials = createCredentials(name, join(deps.data, 'oauth'), (secret) =>
    deps.redactor.add(`${name} token`, secret),
  );
  const warnings = createServerWarnings(name);
  const callLimit = createConcurrencyLimit({ ...callLimits, what: `calls of MCP server "${name}" run` });
  const listeners = createListeners<void>(log);
  const events = createListeners<UpstreamEvent>(log);
  const subscribed: Subscribed = new Map();
  const perClient = isPerClient(config);
  const offered = createOffered();
  // What a server was never seen to offer by this user is no memory of it.
  let known: CachedCatalog | undefined = deps.pins.get(name) && catalogue.read(name, identity);
  /** What is known was said by the server itself, in this process. */
  let isLive = false;
  let announced: Listing | undefined;
  let saving = Promise.resolve();

  const catalog = createToolCatalog({
    server: name,
    config,
    pins: deps.pins,
    run: (tool, args, call) => source.callTool(tool, args, call),
    onSaveFailed: (cause) => notSaved('what is approved of it', cause),
  });
  if (known) void catalog.update({ ...known, isLive }).then(() => announce());

  const resolve = (headers: McpClient['headers'] | undefined): ResolvedServer =>
    resolveServer(name, config, deps.home, { ...deps, headers });
  const connections = createConnections({
    name,
    config,
    timeoutMs,
    resolve,
    open: (server, signal, owner) => open(server, signal, owner),
    mayTryAgain: () => credentials.haveChanged(),
    onChange: () => announce(),
  });

  const open = async (
    server: ResolvedServer,
    signal: AbortSignal,
    owner: () => ClientSession | undefined,
  ): Promise<Connection> => {
    const { connection, tools } = await openServer(server, {
      name,
      config,
      version: deps.version,
      log,
      era: known?.era,
      transport: known?.transport,
      signal,
      timeoutMs,
      auth: await credentials.for(server),
      owner,
      onNotification: (method, params) => onNotification(method, params, owner()?.id),
      redact: (value) => deps.redactor.value(value),
      onOddity: (code, message) => {
        if (warnings.add(code, message)) log.warn(message);
        announce();
      },
    });
    await takeOver(connection, tools);
    const uris = subscribed.get(perClient ? `client ${owner()?.id}` : '')?.uris;
    if (uris) {
      const watching = connection.subscriptions.watch(new Set(uris.keys()));
      watching.catch((cause: unknown) => log.warn('subscribing again failed', { cause }));
    }
    return connection;
  };

  /** Resolves when it is remembered what the owner has seen of the server. */
  const takeOver = async (connection: Connection, listed: Listed): Promise<void> => {
    const { cutOff } = listed;
    const { transport, instructions, serverInfo, capabilities } = connection;
    const entry: CachedCatalog = {
      identity,
      transport,
      era: continued(known?.era, connection.era),
      tools: offered.add(connection, listed),
      capabilities,
      ...(cutOff !== undefined && { cutOff }),
      ...(instructions !== undefined && { instructions }),
      ...(serverInfo && { serverInfo }),
    };
    // What a server offers is known when its tools can be found.
    await catalog.update({ ...entry, isLive: true });
    known = entry;
    isLive = true;
    saving = catalogue.write(name, known).catch((cause: unknown) => notSaved('what it offers', cause));
    announce();
  };

  const notSaved = (what: string, cause: unknown): void => {
    if (warnings.add('mcp-not-saved', `works, but ${what} can't be remembered in ${deps.data}`)) {
      log.warn('its state could not be written', { cause });
      announce();
    }
  };

  /** What a server announces while it is being connected may be too late for its first list. */
  const connecting = async (): Promise<readonly Connection[]> => {
    if (perClient || connections.state !== 'connecting') return [];
    await connections.connect().catch(() => undefined);
    return connections.open;
  };
  const relist = createRefresh(debounceMs, async () => {
    const { open: live } = connections;
    for (const connection of live.length > 0 ? live : await connecting()) {
      try {
        await takeOver(connection, await listTools(name, connection, AbortSignal.timeout(timeoutMs)));
      } catch (cause) {
        log.warn('its tools could not be listed again', { cause });
      }
    }
  });
  const relisting = setInterval(() => relist.request(), relistMs).unref();

  /** `session`: of the client whose connection it is; undefined for a shared one. */
  const onNotification = (
    method: string,
    params: JsonObject | undefined,
    session: string | undefined,
  ): void => {
    switch (method) {
      case 'notifications/tools/list_changed':
        return relist.request();
      case 'notifications/resources/list_changed':
        return events.tell({ type: 'resources_changed', session });
      case 'notifications/prompts/list_changed':
        return events.tell({ type: 'prompts_changed', session });
      case 'notifications/resources/updated':
        if (typeof params?.['uri'] === 'string')
          events.tell({ type: 'resource_updated', uri: params['uri'], session });
    }
  };

  const listing = (): Listing => {
    const { error } = connections;
    const failure = error ? [failed(error.code, error.message)] : [];
    const cut = known?.cutOff === undefined ? [] : [cutList(name, known.cutOff)];
    return {
      tools: catalog.listing.tools,
      diagnostics: [...(catalog.listing.diagnostics ?? []), ...cut, ...warnings.diagnostics, ...failure],
    };
  };
  /** Watchers are told only when there is something new to see. */
  const announce = (): void => {
    const next = listing();
    if (announced && isSame(announced, next)) return;
    announced = next;
    listeners.tell();
  };

  /** A turn of our own agent has that agent's model; whoever comes as a client brings its own. */
  const samplesItself = (call: McpCall): call is McpCall & { readonly turn: TurnContext } =>
    call.turn !== undefined &&
    deps.complete !== undefined &&
    config.clientCapabilities?.includes('sampling') === true;

  const introduce = async (options: UpstreamCallOptions): Promise<void> => {
    using way = connections.hold(ofClient(options.client ?? { headers: {} }));
    await way.supervisor.ready(options.signal);
  };

  const source: McpSource = {
    ...createUpstream({
      name,
      connections,
      isPerClient: perClient,
      timeout,
      events,
      subscribed,
      capabilities: () => known?.capabilities,
      info: () => known?.serverInfo,
      introduce,
    }),
    id: `mcp:${name}`,
    kind: 'mcp',
    module: name,
    config,
    origin: `MCP server "${name}"`,
    get description() {
      const [first] = catalog.instructions?.split(/(?<=\.)\s|\n/, 1) ?? [];
      return first ? visibleText(first).slice(0, maxDescriptionLength) : `Tools of the MCP server ${name}`;
    },
    get instructions() {
      return catalog.instructions;
    },
    async list() {
      await catalog.filled();
      return listing();
    },
    whyMissing(tool) {
      if (catalog.isHeld(tool)) return notApproved(name, tool);
      const unusable = leftOut(tool, catalog);
      if (unusable) return unusable;
      if (connections.error) return connections.error;
      if (known?.cutOff !== undefined) return notInCutList(name, tool, known.cutOff);
      const isUnknown = known === undefined && connections.state !== 'ready';
      if (!isUnknown) return undefined;
      const waits = needsClient(config)
        ? `it is connected when a client calls that sends ${headersOfClient(config).join(' and ')}`
        : 'it has not listed its tools yet';
      return unavailable(name, waits);
    },
    watch: (changed) => listeners.add(changed),
    connect: () => connections.connect(),
    async callTool(tool, args, call) {
      await callLimit.enter(call.signal);
      try {
        using way = connections.hold(callerOf(call));
        const sample = samplesItself(call) && ownSampling(name, call, deps.complete!);
        return await callTool(name, tool, args, call, {
          catalog,
          supervisor: way.supervisor,
          ...(sample && { sample }),
        });
      } finally {
        callLimit.leave();
      }
    },
    status: () =>
      statusOfServer(name, transportOf(config), known, catalog, connections, listing().diagnostics),
    async login(openUrl, options = {}) {
      const outcome = await credentials.logIn(resolve(undefined), openUrl, options);
      await source.connect();
      return outcome;
    },
    get held() {
      return catalog.held;
    },
    async approve(held) {
      await catalog.approve(held);
      source.judgeAgain();
    },
    async revoke() {
      const wasApproved = await catalog.revoke();
      source.judgeAgain();
      return wasApproved;
    },
    judgeAgain() {
      if (known) void catalog.update({ ...known, isLive }).then(announce);
      announce();
    },
    loginMayHaveChanged() {
      if (connections.state !== 'unauthorized' || !credentials.haveChanged()) return;
      source.connect().catch((cause: unknown) => log.warn('did not connect after a login', { cause }));
    },
    async [Symbol.asyncDispose]() {
      clearInterval(relisting);
      relist[Symbol.dispose]();
      await connections[Symbol.asyncDispose]();
      await catalog.filled();
      await saving;
    },
  };
  return source;
}

const failed = (code: string, message: string) =>
  ({ severity: 'error', code: code.toLowerCase().replaceAll('_', '-'), message }) as const;

function isSame(a: Listing, b: Listing): boolean {
  return (
    a.tools.length === b.tools.length &&
    a.tools.every((tool, index) => tool === b.tools[index]) &&
    JSON.stringify(a.diagnostics) === JSON.stringify(b.diagnostics)
  );
}
