import { join } from 'node:path';
import type { Logger } from '../../api/log.ts';
import type { McpClient } from '../../api/mcp/peer.ts';
import type { Surroundings } from '../../api/surroundings.ts';
import { visibleText } from '../../core/foreign/visible-text.ts';
import type { Redactor } from '../../core/secrets/redact.ts';
import type { WhyUnset } from '../../core/secrets/why-unset.ts';
import { localDocuments } from '../../store/documents/documents.ts';
import type { PinStore } from './approval/pins.ts';
import { whyMissing } from './catalog/missing-tool.ts';
import { createServerListing } from './catalog/server-listing.ts';
import { defaultTimeoutSeconds, type McpServerConfig } from './config.ts';
import type { Connections } from './connection/connections.ts';
import { isPerClient } from './connection/client-connections.ts';
import { createServerConnections } from './connection/server-connections.ts';
import { createCredentials } from './oauth/credentials.ts';
import type { LoginFiles } from './oauth/oauth-store.ts';
import { createToolCaller } from './protocol/call-tool.ts';
import type { McpSource } from './mcp-source.ts';
import type { SamplingModel } from './protocol/own-sampling.ts';
import { createUpstream } from './protocol/upstream.ts';
import { resolveServer, type ResolvedServer } from './resolve.ts';
import { statusOfServer } from './status.ts';

export interface McpDeps {
  /** Relative `cwd`s start here. */
  readonly home: string;
  readonly surroundings: Surroundings;
  /** Folder for the cached lists of servers. */
  readonly data: string;
  readonly resolve: (name: string) => string | undefined;
  readonly whyUnset?: WhyUnset | undefined;
  readonly redactor: Pick<Redactor, 'add' | 'value'>;
  readonly log: Logger;
  /** Of Pegboard, sent in handshakes. */
  readonly version: string;
  /** The approvals of the servers. */
  readonly pins: PinStore;
  /** Default: a folder in `data`. */
  readonly logins?: LoginFiles;
  /** The module of a server's tools. Default: its name. It may change when modules of others come or go. */
  readonly moduleOf?: (server: string) => string;
  /** Asks the model of an agent; absent when there are no agents. */
  readonly complete?: SamplingModel;
}

/** Maximum characters of the description, which is the first sentence of the instructions. */
const maxDescriptionLength = 300;

/**
 * Until it is connected, lists what the server offered last time. The SDK is loaded and the server started at first
 * use.
 */
export function createMcpSource(name: string, config: McpServerConfig, deps: McpDeps): McpSource {
  const { surroundings, moduleOf = String } = deps;
  const { clock } = surroundings;
  const log = deps.log.child(`mcp:${name}`);
  const resolve = (headers: McpClient['headers'] | undefined): ResolvedServer =>
    resolveServer(name, config, deps.home, { ...deps, user: surroundings, headers });
  const logins = deps.logins ?? { folder: join(deps.data, 'oauth'), documents: localDocuments };
  const credentials = createCredentials(name, logins, (secret) => deps.redactor.add(`${name} token`, secret));
  const own = { name, config, log };
  const listing = createServerListing({
    ...deps,
    ...own,
    run: (tool, args, call) => source.callTool(tool, args, call),
    connectionError: () => connections.error,
    moduleOf,
  });
  const { catalog } = listing;
  const server = createServerConnections({
    ...own,
    version: deps.version,
    clock,
    credentials,
    listing,
    resolve,
    redact: (value) => deps.redactor.value(value),
  });
  const { connections } = server;
  const shared = { name, connections, reportLeftOut: listing.reportLeftOut };

  const source: McpSource = {
    ...createUpstream({
      ...shared,
      isPerClient: isPerClient(config),
      timeout: config.timeout ?? defaultTimeoutSeconds,
      clock,
      events: server.events,
      subscriptions: server.subscriptions,
      capabilities: () => listing.known?.capabilities,
      info: () => listing.known?.serverInfo,
    }),
    id: `mcp:${name}`,
    kind: 'mcp',
    get module() {
      return moduleOf(name);
    },
    config,
    origin: `MCP server "${name}"`,
    get description() {
      return descriptionOf(name, catalog.instructions);
    },
    get instructions() {
      return catalog.instructions;
    },
    async list() {
      await catalog.settled();
      return listing.current();
    },
    whyMissing: (tool) => whyMissing(tool, { name, config, catalog, known: listing.known, connections }),
    watch: (changed) => listing.watch(changed),
    ...introduction(connections),
    callTool: createToolCaller({ ...shared, config, catalog, complete: deps.complete }),
    status: () => statusOfServer(own, listing, connections),
    async login(openUrl, options = {}) {
      const outcome = await credentials.logIn(resolve(undefined), openUrl, options);
      await connections.connect();
      return outcome;
    },
    get pendingTools() {
      return catalog.pendingTools;
    },
    async approve(pendingTools) {
      await catalog.approve(pendingTools);
      listing.recheck();
    },
    async revoke() {
      const wasApproved = await catalog.revoke();
      listing.recheck();
      return wasApproved;
    },
    recheckApprovals: () => listing.recheck(),
    retryAfterLogin() {
      if (!credentials.haveChanged() || !['unauthorized', 'failed'].includes(connections.state)) return;
      connections.connect().catch((cause: unknown) => log.warn('did not connect after a login', { cause }));
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await listing.saved();
    },
  };
  return source;
}

/** Connecting, and waiting for the first attempt. */
function introduction(connections: Connections): Pick<McpSource, 'connect' | 'introduced'> {
  let first: Promise<void> | undefined;
  return {
    connect() {
      const connecting = connections.connect();
      first ??= connecting.catch(() => {});
      return connecting;
    },
    introduced: async () => await first,
  };
}

function descriptionOf(name: string, instructions: string | undefined): string {
  const [first] = instructions?.split(/(?<=\.)\s|\n/, 1) ?? [];
  return first ? visibleText(first).slice(0, maxDescriptionLength) : `Tools of the MCP server ${name}`;
}
