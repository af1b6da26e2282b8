import type { PegboardError } from '../../../core/errors.ts';
import type { Connections, UpstreamCaller } from './connections.ts';
import { createSessionPool, type SessionPoolOptions } from './session-pool.ts';
import type { SupervisorState } from './supervisor.ts';

export interface SessionConnectionsOptions extends SessionPoolOptions {
  /** Callers with equal keys share a connection. Throws for a caller that can't have one. */
  readonly keyOf: (caller: UpstreamCaller) => string;
  /** Opens a connection without a client, learns what the server offers, and closes it again. */
  readonly probe: () => Promise<void>;
  readonly onChange: () => void;
}

/** A connection for each session, or for each set of credentials: two clients never share one. */
export function createSessionConnections(options: SessionConnectionsOptions): Connections {
  const { keyOf, probe, onChange } = options;
  const pool = createSessionPool(options);
  let probing: Promise<void> | undefined;
  /** State and error of the last probe. */
  let state: SupervisorState = 'idle';
  let error: PegboardError | undefined;
  let since = Date.now();
  let isClosed = false;

  const enter = (next: SupervisorState, cause?: PegboardError): void => {
    state = next;
    error = cause;
    since = Date.now();
    onChange();
  };
  const hasConnections = (): boolean => pool.open.length > 0;
  return {
    acquire: (caller) => pool.acquire(keyOf(caller), caller),
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
      return pool.open;
    },
    get state() {
      return hasConnections() ? 'ready' : state;
    },
    get error() {
      return hasConnections() ? undefined : error;
    },
    get since() {
      return since;
    },
    get restarts() {
      return pool.restarts;
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      const closed = pool[Symbol.asyncDispose]();
      await probing?.catch(() => {});
      await closed;
      state = 'stopped';
    },
  };
}
