import { setTimeout as sleep } from 'node:timers/promises';
import { isTimeout, openDeadline, untilAborted } from '../../../core/async/deadline.ts';
import { PegboardError, messageOf } from '../../../core/errors.ts';
import { createBackoff } from './backoff.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';

/** What is kept alive: ends once, and is then opened anew. */
export interface Supervised extends AsyncDisposable {
  /** Resolves with the reason, whoever ended it. */
  readonly ended: Promise<string>;
}

export type SupervisorState = 'idle' | 'connecting' | 'ready' | 'failed' | 'unauthorized' | 'stopped';

export interface Supervisor<C extends Supervised> extends AsyncDisposable {
  readonly state: SupervisorState;
  /** Why it is not ready. */
  readonly error: PegboardError | undefined;
  /** When it entered its state, in milliseconds since 1970. */
  readonly since: number;
  /** Times that a connection ended by itself. */
  readonly restarts: number;
  readonly current: C | undefined;
  /**
   * Opens it if need be. Fails at once while the circuit is open or somebody has to log in first. Throws a
   * PegboardError, or the signal's reason.
   */
  ready(signal?: AbortSignal): Promise<C>;
  /** Forgets earlier failures and tries now. */
  connect(): Promise<C>;
  /** The connection proved dead in use, although it didn't say so itself. */
  lost(connection: C, why: string): void;
}

export interface SupervisorOptions<C> {
  readonly name: string;
  /** Must settle soon after the signal aborts. */
  readonly open: (signal: AbortSignal) => Promise<C>;
  readonly timeoutMs: number;
  /** Has somebody logged in since it was refused? */
  readonly mayTryAgain: () => boolean;
  readonly onChange: () => void;
}

/** A call waits at most this long for the next attempt to be due; then it makes it itself. */
const maxWaitMs = 1_000;
/** Trying again can't help until somebody has changed something. */
const permanent = new Set<string>([
  'PEG_SERVER_UNAUTHORIZED',
  'PEG_PROGRAM_NOT_FOUND',
  'PEG_MISSING_VARIABLE',
  'PEG_CONFIG',
]);

/** Keeps one connection open: opens it when it is first needed, and again when it ends. */
export function createSupervisor<C extends Supervised>(options: SupervisorOptions<C>): Supervisor<C> {
  const { name, open, timeoutMs, onChange } = options;
  const backoff = createBackoff();
  const stopped = new AbortController();
  const closing = new Set<Promise<void>>();
  let state: SupervisorState = 'idle';
  let error: PegboardError | undefined;
  let since = Date.now();
  let restarts = 0;
  let current: C | undefined;
  let attempt: Promise<C> | undefined;
  let retry: { readonly timer: NodeJS.Timeout; readonly dueAt: number } | undefined;

  const enter = (next: SupervisorState, cause?: PegboardError): void => {
    state = next;
    error = cause;
    since = Date.now();
    onChange();
  };
  const stop = (): PegboardError => unavailable(name, 'it is being closed');

  const close = (connection: C): void => {
    // A connection that fails to close was lost already.
    const done: Promise<void> = Promise.resolve(connection[Symbol.asyncDispose]())
      .catch(() => {})
      .finally(() => void closing.delete(done));
    closing.add(done);
  };

  const tryOnce = async (): Promise<C> => {
    enter('connecting', error);
    using deadline = openDeadline(timeoutMs, stopped.signal);
    try {
      const connection = await open(deadline.signal);
      if (stopped.signal.aborted) close(connection);
      stopped.signal.throwIfAborted();
      adopt(connection);
      return connection;
    } catch (cause) {
      if (stopped.signal.aborted) throw stop();
      const failure = toFailure(name, cause);
      enter(failure.code === 'PEG_SERVER_UNAUTHORIZED' ? 'unauthorized' : 'failed', failure);
      if (!permanent.has(failure.code)) retryIn(backoff.failed(performance.now()));
      throw failure;
    }
  };
  const begin = (): Promise<C> => {
    clearTimeout(retry?.timer);
    retry = undefined;
    attempt ??= tryOnce().finally(() => (attempt = undefined));
    return attempt;
  };
  const retryIn = (ms: number): void => {
    // What goes wrong is told by `error`; a call that waits for the attempt gets it as well.
    const timer = setTimeout(() => void begin().catch(() => {}), ms).unref();
    retry = { timer, dueAt: performance.now() + ms };
  };

  const adopt = (connection: C): void => {
    const started = performance.now();
    current = connection;
    enter('ready');
    void connection.ended.then((why) => abandon(connection, why, performance.now() - started));
  };
  const abandon = (connection: C, why: string, aliveMs: number): void => {
    if (current !== connection) return;
    current = undefined;
    close(connection);
    if (stopped.signal.aborted) return;
    restarts++;
    enter('failed', unavailable(name, why));
    const wait = backoff.ended(performance.now(), aliveMs);
    if (wait === 0) void begin().catch(() => {});
    else retryIn(wait);
  };

  let ended: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    stopped.abort(stop());
    clearTimeout(retry?.timer);
    await attempt?.catch(() => {});
    if (current) close(current);
    current = undefined;
    await Promise.all(closing);
    enter('stopped');
  };

  return {
    get state() {
      return state;
    },
    get error() {
      return error;
    },
    get since() {
      return since;
    },
    get restarts() {
      return restarts;
    },
    get current() {
      return current;
    },
    async ready(signal) {
      if (current) return current;
      if (stopped.signal.aborted) throw stop();
      if (state === 'unauthorized' && !attempt) {
        if (!options.mayTryAgain()) throw error!;
      } else if (!attempt) {
        const now = performance.now();
        const openUntil = backoff.openUntil(now);
        if (openUntil !== undefined) throw resting(name, error, openUntil - now);
        const wait = Math.min(maxWaitMs, (retry?.dueAt ?? 0) - now);
        if (wait > 0) await sleep(wait, undefined, signal && { signal });
        if (current) return current;
      }
      return signal ? untilAborted(begin(), signal) : begin();
    },
    connect() {
      if (current) return Promise.resolve(current);
      if (stopped.signal.aborted) return Promise.reject(stop());
      backoff.reset();
      return begin();
    },
    lost(connection, why) {
      abandon(connection, why, 0);
    },
    // Whoever closes it a second time waits for the same end.
    [Symbol.asyncDispose]: () => (ended ??= end()),
  };
}

export function unavailable(name: string, why: string, cause?: unknown): PegboardError {
  const message = `MCP server "${name}" is not available: ${asSentence(why)}`;
  return new PegboardError('PEG_SERVER_UNAVAILABLE', message, { cause, data: { server: name, reason: why } });
}

function resting(name: string, error: PegboardError | undefined, ms: number): PegboardError {
  const last = error ? ` ${error.message}` : '';
  return unavailable(
    name,
    `it failed too often and is left alone for ${Math.ceil(ms / 1000)} s.${last} \`pegboard doctor\` tells more`,
  );
}

function toFailure(name: string, cause: unknown): PegboardError {
  if (cause instanceof PegboardError) return cause;
  return unavailable(name, isTimeout(cause) ? `connecting ${messageOf(cause)}` : messageOf(cause), cause);
}
