import { createHash } from 'node:crypto';
import type { ClientSession } from '../../../api/mcp/peer.ts';
import type { Clock } from '../../../api/surroundings.ts';
import { openDeadline } from '../../../core/async/deadline.ts';
import { PegboardError } from '../../../core/errors.ts';
import { canonicalJson } from '../../../tools/fingerprint.ts';
import { headersOfClient, needsClient } from './client-headers.ts';
import { defaultIdleTimeoutSeconds, defaultMaxSessions, type McpServerConfig } from '../config.ts';
import type { Connection } from './connection.ts';
import { createSharedConnections, type Connections, type UpstreamCaller } from './connections.ts';
import type { ResolvedServer } from '../resolve.ts';
import { createSessionConnections } from './session-connections.ts';
import { createSupervisor } from './supervisor.ts';

export interface ConnectionsOptions {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly timeoutMs: number;
  /** Of time limits. */
  readonly clock: Clock;
  /** The entry with the headers of a client filled in. Throws PEG_MISSING_VARIABLE and PEG_CONFIG. */
  readonly resolve: (headers: Readonly<Record<string, string>> | undefined) => ResolvedServer;
  readonly open: (
    server: ResolvedServer,
    signal: AbortSignal,
    owner: () => ClientSession | undefined,
  ) => Promise<Connection>;
  readonly mayTryAgain: () => boolean;
  readonly onChange: () => void;
}

/** Whether each client has a connection of its own. */
export const isPerClient = (config: McpServerConfig): boolean =>
  config.scope === 'session' || headersOfClient(config).length > 0;

const nobody = (): undefined => undefined;

/** One shared connection, or one for each session and set of passed headers, depending on the entry. */
export function createConnections(options: ConnectionsOptions): Connections {
  const { name, config, timeoutMs, clock, resolve, open, mayTryAgain, onChange } = options;
  if (!isPerClient(config)) {
    return createSharedConnections(
      createSupervisor<Connection>({
        name,
        timeoutMs,
        clock,
        open: (signal) => open(resolve(undefined), signal, nobody),
        mayTryAgain,
        onChange,
      }),
    );
  }
  return createSessionConnections({
    name,
    maxSessions: config.maxSessions ?? defaultMaxSessions,
    idleMs: (config.idleTimeout ?? defaultIdleTimeoutSeconds) * 1000,
    keyOf: (caller) => keyOf(name, config, caller, resolve),
    supervise: ({ client }, owner) =>
      createSupervisor<Connection>({
        name,
        timeoutMs,
        clock,
        open: (signal) => open(resolve(client?.headers), signal, owner),
        mayTryAgain,
        onChange,
      }),
    async probe() {
      // Its tools are listed for the first client that sends the required headers.
      if (needsClient(config)) return;
      using deadline = openDeadline(timeoutMs, undefined, clock);
      const connection = await open(resolve(undefined), deadline.signal, nobody);
      await connection[Symbol.asyncDispose]();
    },
    onChange,
  });
}

/**
 * Equal only for requests of one session with the same credentials; without sessions, for requests with the same
 * credentials.
 */
function keyOf(
  name: string,
  config: McpServerConfig,
  { session, client }: UpstreamCaller,
  resolve: ConnectionsOptions['resolve'],
): string {
  if (config.scope === 'session' && session === undefined) throw noSession(name);
  if (headersOfClient(config).length === 0) return session!;
  const server = resolve(client?.headers);
  const said = server.kind === 'stdio' ? server.env : server.headers;
  const hash = createHash('sha256').update(canonicalJson(said)).digest('hex');
  return JSON.stringify([session ?? null, hash]);
}

function noSession(name: string): PegboardError {
  return new PegboardError(
    'PEG_USAGE',
    `MCP server "${name}" has "scope: session", and this client has no session: in the 2026-07-28 protocol, requests over HTTP have no session. Add the header Pegboard-Session to the client's configuration, with a value that is unique to the client, or connect over stdio.`,
    { data: { server: name } },
  );
}
