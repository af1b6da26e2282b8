import type { ClientSession } from '../../../api/mcp/peer.ts';
import { PegboardError } from '../../../core/errors.ts';
import type { Connection } from './connection.ts';
import type { Connections, UpstreamCaller } from './connections.ts';
import type { Supervisor, SupervisorState } from './supervisor.ts';

export interface SessionConnectionsOptions {
  readonly name: string;
  /** Connections at once. */
  readonly maxSessions: number;
  /** Milliseconds without a call after which one ends. */
  readonly idleMs: number;
  /** Callers with equal keys share a connection. Throws for a caller that can't have one. */
  readonly keyOf: (caller: UpstreamCaller) => string;
  /** `owner`: the session of the client that it is for, as it is at each moment. */
  readonly supervise: (
    caller: UpstreamCaller,
    owner: () => ClientSession | undefined,
  ) => Supervisor<Connection>;
  /** Opens a connection for nobody, learns what the server offers, and closes it again. */
  readonly probe: () => Promise<void>;
  readonly onChange: () => void;
}

interface Lane {
  readonly key: string;
  readonly supervisor: Supervisor<Connection>;
  session: ClientSession | undefined;
  ending: Disposable | undefined;
  calls: number;
  usedAt: number;
  hasEnded: boolean;
}

/** A connection for each session, or for each set of credentials: never one for two clients. */
export function sessionConnections(options: SessionConnectionsOptions): Connections {
  const { name, maxSessions, idleMs, keyOf, supervise, probe, onChange } = options;
  /** The one used last is the last in order. */
  const lanes = new Map<string, Lane>();
  const closing = new Set<Promise<void>>();
  let error: PegboardError | undefined;
  let probing: Promise<void> | undefined;
  let probedState: SupervisorState = 'idle';
  let since = Date.now();
  let restarts = 0;
  let isClosed = false;

  const enter = (state: SupervisorState, cause?: PegboardError): void => {
    probedState = state;
    error = cause;
    since = Date.now();
    onChange();
  };

  const close = (lane: Lane): void => {
    lane.hasEnded = true;
    lane.ending?.[Symbol.dispose]();
    if (lanes.get(lane.key) === lane) lanes.delete(lane.key);
    restarts += lane.supervisor.restarts;
    const done: Promise<void> = Promise.resolve(lane.supervisor[Symbol.asyncDispose]()).finally(
      () => void closing.delete(done),
    );
    closing.add(done);
  };
  /** A call that still runs, in the background for instance, has its end first. */
  const endSoon = (lane: Lane): void => {
    lane.hasEnded = true;
    lanes.delete(lane.key);
    if (lane.calls === 0) close(lane);
  };
  const forgetIdle = (): void => {
    const before = performance.now() - idleMs;
    for (const lane of lanes.values()) if (lane.calls === 0 && lane.usedAt <= before) close(lane);
  };
  const watching = setInterval(forgetIdle, Math.max(20, Math.min(idleMs / 4, 30_000))).unref();

  const makeRoom = (): void => {
    if (lanes.size < maxSessions) return;
    const idle = [...lanes.values()].find(({ calls }) => calls === 0);
    if (!idle) throw tooMany(name, maxSessions);
    close(idle);
  };
  const follow = (lane: Lane, session: ClientSession | undefined): void => {
    if (!session || lane.session === session) return;
    lane.ending?.[Symbol.dispose]();
    lane.session = session;
    lane.ending = session.onEnd(() => endSoon(lane));
  };
  const openLane = (key: string, caller: UpstreamCaller): Lane => {
    makeRoom();
    const lane: Lane = {
      key,
      supervisor: supervise(caller, () => lane.session),
      session: undefined,
      ending: undefined,
      calls: 0,
      usedAt: 0,
      hasEnded: false,
    };
    return lane;
  };
  const release = (lane: Lane): void => {
    lane.calls--;
    lane.usedAt = performance.now();
    if (lane.calls > 0) return;
    // One that can't connect is not tried again until its client calls again.
    if (lane.hasEnded || lane.supervisor.state === 'failed' || lane.supervisor.state === 'unauthorized')
      close(lane);
  };

  const hasConnections = (): boolean => [...lanes.values()].some(({ supervisor }) => supervisor.current);
  return {
    hold(caller) {
      const key = keyOf(caller);
      const lane = lanes.get(key) ?? openLane(key, caller);
      lanes.delete(key);
      lanes.set(key, lane);
      lane.calls++;
      follow(lane, caller.client?.session);
      let isHeld = true;
      return {
        supervisor: lane.supervisor,
        [Symbol.dispose]() {
          if (isHeld) release(lane);
          isHeld = false;
        },
      };
    },
    async connect() {
      if (isClosed) return;
      probing ??= probe().finally(() => (probing = undefined));
      enter('connecting', error);
      try {
        await probing;
        enter('idle');
      } catch (cause) {
        const failure = cause as PegboardError;
        enter(failure.code === 'PEG_SERVER_UNAUTHORIZED' ? 'unauthorized' : 'failed', failure);
        throw cause;
      }
    },
    get open() {
      return [...lanes.values()].flatMap(({ supervisor }) => supervisor.current ?? []);
    },
    get state() {
      return hasConnections() ? 'ready' : probedState;
    },
    get error() {
      return hasConnections() ? undefined : error;
    },
    get since() {
      return since;
    },
    get restarts() {
      return [...lanes.values()].reduce((sum, { supervisor }) => sum + supervisor.restarts, restarts);
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearInterval(watching);
      for (const lane of lanes.values()) close(lane);
      await probing?.catch(() => {});
      await Promise.all(closing);
      probedState = 'stopped';
    },
  };
}

function tooMany(name: string, maxSessions: number): PegboardError {
  return new PegboardError(
    'PEG_LIMIT',
    `MCP server "${name}" already works for ${maxSessions} clients, as many as its maxSessions allows. Try again when one of them is done, or raise maxSessions.`,
  );
}
