import type { ClientSession } from '../../../api/mcp/peer.ts';
import { PegboardError } from '../../../core/errors.ts';
import { createClosing } from './closing.ts';
import type { Connection } from './connection.ts';
import type { ConnectionLease, UpstreamCaller } from './connections.ts';
import type { Supervisor } from './supervisor.ts';

/** Connections by key. A connection ends with its client's session, or after being idle for too long. */
export interface SessionPool extends AsyncDisposable {
  /** Throws PEG_LIMIT when no other connection may be opened. */
  acquire(key: string, caller: UpstreamCaller): ConnectionLease;
  /** The open connections. */
  readonly open: readonly Connection[];
  /** Number of restarts of all connections, including closed ones. */
  readonly restarts: number;
}

export interface SessionPoolOptions {
  readonly name: string;
  /** Maximum number of open connections. */
  readonly maxSessions: number;
  /** Milliseconds without a call after which one ends. */
  readonly idleMs: number;
  /** `owner` returns the current session of the connection's client. */
  readonly supervise: (
    caller: UpstreamCaller,
    owner: () => ClientSession | undefined,
  ) => Supervisor<Connection>;
}

interface Pooled {
  readonly key: string;
  readonly supervisor: Supervisor<Connection>;
  session: ClientSession | undefined;
  /** Undone when the session changes or the connection is closed. */
  ending: Disposable | undefined;
  calls: number;
  usedAt: number;
  hasEnded: boolean;
}

export function createSessionPool(options: SessionPoolOptions): SessionPool {
  const { name, maxSessions, idleMs, supervise } = options;
  /** In the order in which they were last used. */
  const pooled = new Map<string, Pooled>();
  const closing = createClosing();
  let closedRestarts = 0;

  const close = (one: Pooled): void => {
    one.hasEnded = true;
    one.ending?.[Symbol.dispose]();
    if (pooled.get(one.key) === one) pooled.delete(one.key);
    closedRestarts += one.supervisor.restarts;
    closing.close(one.supervisor);
  };
  const endSession = (one: Pooled): void => {
    one.hasEnded = true;
    pooled.delete(one.key);
    // Calls that are still running, for example in the background, may end first.
    if (one.calls === 0) close(one);
  };
  const closeIdle = (): void => {
    const before = performance.now() - idleMs;
    for (const one of pooled.values()) if (one.calls === 0 && one.usedAt <= before) close(one);
  };
  const timer = setInterval(closeIdle, Math.max(20, Math.min(idleMs / 4, 30_000))).unref();

  const makeRoom = (): void => {
    if (pooled.size < maxSessions) return;
    const idle = [...pooled.values()].find(({ calls }) => calls === 0);
    if (!idle) throw tooMany(name, maxSessions);
    close(idle);
  };
  const open = (key: string, caller: UpstreamCaller): Pooled => {
    makeRoom();
    const one: Pooled = {
      key,
      supervisor: supervise(caller, () => one.session),
      session: undefined,
      ending: undefined,
      calls: 0,
      usedAt: 0,
      hasEnded: false,
    };
    return one;
  };
  const follow = (one: Pooled, session: ClientSession | undefined): void => {
    if (!session || one.session === session) return;
    one.ending?.[Symbol.dispose]();
    one.session = session;
    one.ending = session.onEnd(() => endSession(one));
  };
  const release = (one: Pooled): void => {
    one.calls--;
    one.usedAt = performance.now();
    if (one.calls > 0) return;
    // A connection that fails is not retried until its client calls again.
    if (one.hasEnded || one.supervisor.state === 'failed' || one.supervisor.state === 'unauthorized')
      close(one);
  };

  return {
    acquire(key, caller) {
      const one = pooled.get(key) ?? open(key, caller);
      pooled.delete(key);
      pooled.set(key, one);
      one.calls++;
      follow(one, caller.client?.session);
      let isHeld = true;
      return {
        supervisor: one.supervisor,
        [Symbol.dispose]() {
          if (isHeld) release(one);
          isHeld = false;
        },
      };
    },
    get open() {
      return [...pooled.values()].flatMap(({ supervisor }) => supervisor.current ?? []);
    },
    get restarts() {
      return pooled.values().reduce((sum, { supervisor }) => sum + supervisor.restarts, closedRestarts);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      for (const one of pooled.values()) close(one);
      await closing.settled();
    },
  };
}

function tooMany(name: string, maxSessions: number): PegboardError {
  return new PegboardError(
    'PEG_LIMIT',
    `MCP server "${name}" already serves ${maxSessions} clients, the limit of its maxSessions. Try again when one of them is done, or raise maxSessions.`,
  );
}
