import type { McpClient } from '../../../api/mcp/peer.ts';
import type { PegboardError } from '../../../core/errors.ts';
import type { Connection } from './connection.ts';
import type { Supervisor, SupervisorState } from './supervisor.ts';

/** The caller of a request. */
export interface UpstreamCaller {
  /** Equal for requests of the same person at the same place. Undefined: the request is unrelated to others. */
  readonly session: string | undefined;
  readonly client?: McpClient | undefined;
}

/** A request without a client, or of one without a session, has a connection of its own. */
export const callerOfClient = (client: McpClient | undefined): UpstreamCaller => ({
  session: client?.session && `client ${client.session.id}`,
  client,
});

/** A connection for a caller, which stays open until this is disposed. */
export interface ConnectionLease extends Disposable {
  readonly supervisor: Supervisor<Connection>;
}

/** The connections to one server: one for all callers, or one for each session. */
export interface Connections extends AsyncDisposable {
  /** Throws PEG_MISSING_VARIABLE, PEG_USAGE or PEG_LIMIT when the caller can't get a connection. */
  acquire(caller: UpstreamCaller): ConnectionLease;
  /** Connects now, to learn what the server offers. Throws a PegboardError with the reason when it can't. */
  connect(): Promise<void>;
  /** The open connections. */
  readonly open: readonly Connection[];
  readonly state: SupervisorState;
  /** Why it is not ready. */
  readonly error: PegboardError | undefined;
  /** When the current state began, in milliseconds since 1970. */
  readonly since: number;
  readonly restarts: number;
}

/** One connection for all callers. */
export function createSharedConnections(supervisor: Supervisor<Connection>): Connections {
  const lease: ConnectionLease = { supervisor, [Symbol.dispose]() {} };
  return {
    acquire: () => lease,
    connect: async () => void (await supervisor.connect()),
    get open() {
      return supervisor.current ? [supervisor.current] : [];
    },
    get state() {
      return supervisor.state;
    },
    get error() {
      return supervisor.error;
    },
    get since() {
      return supervisor.since;
    },
    get restarts() {
      return supervisor.restarts;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(supervisor[Symbol.asyncDispose]()),
  };
}
