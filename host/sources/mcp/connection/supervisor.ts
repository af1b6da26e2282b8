import type { Clock } from '../../../api/surroundings.ts';
import { pegboard } from '../../../core/own-command.ts';
import { isTimeout, openDeadline, untilAborted } from '../../../core/async/deadline.ts';
import { startTimer, type Timer } from '../../../core/async/timer.ts';
import { PegboardError, messageOf } from '../../../core/errors.ts';
import { createBackoff } from './backoff.ts';
import { createClosing } from './closing.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';

/** What is kept open. It ends once, and is then replaced by a new one. */
export interface Supervised extends AsyncDisposable {
  /** Resolves with the reason, on either side. */
  readonly ended: Promise<string>;
}

export type SupervisorState = 'idle' | 'connecting' | 'ready' | 'failed' | 'unauthorized' | 'stopped';

export interface Supervisor<C extends Supervised> extends AsyncDisposable {
  readonly state: SupervisorState;
  /** Why it is not ready. */
  readonly error: PegboardError | undefined;
  /** When the current state began, in milliseconds since 1970. */
  readonly since: number;
  /** How often a connection ended unexpectedly. */
  readonly restarts: number;
  readonly current: C | undefined;
  /**
   * Opens the connection if necessary. Fails immediately while a login is needed, or the circuit is open: then only a
   * person's call tries. Throws a PegboardError, or the signal's reason.
   */
  ready(signal?: AbortSignal, isByPerson?: boolean): Promise<C>;
  /** Forgets earlier failures and tries now. */
  connect(): Promise<C>;
  /** Reports that the connection is dead, although it hasn't ended. */
  lost(connection: C, why: string): void;
}

export interface SupervisorOptions<C> {
  readonly name: string;
  /** Must settle soon after the signal aborts. */
  readonly open: (signal: AbortSignal) => Promise<C>;
  readonly timeoutMs: number;
  /** Of time limits and pauses. */
  readonly clock: Clock;
  /** Whether there was a login since the last refusal. */
  readonly mayTryAgain: () => boolean;
  readonly onChange: () => void;
}

/** A call waits at most this long for the next attempt to be due; then it makes it itself. */
const maxWaitMs = 1_000;
/** Errors that a retry can't fix. */
const permanent = new Set<string>([
  'PEG_SERVER_UNAUTHORIZED',
  'PEG_PROGRAM_NOT_FOUND',
  'PEG_MISSING_VARIABLE',
  'PEG_CONFIG',
]);

/** Keeps one connection open: opens it at first use, and again when it ends. */
export function createSupervisor<C extends Supervised>(options: SupervisorOptions<C>): Supervisor<C> {
  return new ConnectionSupervisor(options);
}

class ConnectionSupervisor<C extends Supervised> implements Supervisor<C> {
  state: SupervisorState = 'idle';
  error: PegboardError | undefined;
  since = Date.now();
  restarts = 0;
  current: C | undefined;

  readonly #options: SupervisorOptions<C>;
  readonly #backoff = createBackoff();
  readonly #stopped = new AbortController();
  readonly #closing = createClosing();
  #attempt: Promise<C> | undefined;
  #retry: { readonly timer: Timer; readonly dueAt: number } | undefined;
  #end: Promise<void> | undefined;
  /** Whether somebody waits for this attempt, or the next one. */
  #isAsked = false;

  constructor(options: SupervisorOptions<C>) {
    this.#options = options;
  }

  async ready(signal?: AbortSignal, isByPerson = false): Promise<C> {
    if (this.current) return this.current;
    if (this.#stopped.signal.aborted) throw this.#isClosed();
    this.#isAsked = true;
    if (this.state === 'unauthorized' && !this.#attempt) {
      if (!this.#options.mayTryAgain()) throw this.error!;
    } else if (!this.#attempt) {
      const wait = isByPerson ? 0 : this.#msUntilDue();
      // Starts without waiting when it is due, so that closing finds the attempt.
      if (wait > 0) await this.#options.clock.sleep(wait, signal ?? this.#stopped.signal);
      signal?.throwIfAborted();
      if (this.#stopped.signal.aborted) throw this.#isClosed();
      if (this.current) return this.current;
    }
    return signal ? untilAborted(this.#begin(), signal) : this.#begin();
  }

  connect(): Promise<C> {
    if (this.current) return Promise.resolve(this.current);
    if (this.#stopped.signal.aborted) return Promise.reject(this.#isClosed());
    this.#backoff.reset();
    this.#isAsked = true;
    return this.#begin();
  }

  lost(connection: C, why: string): void {
    this.#abandon(connection, why, 0);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#end ??= this.#stop();
    return this.#end;
  }

  #enter(state: SupervisorState, error?: PegboardError): void {
    this.state = state;
    this.error = error;
    this.since = Date.now();
    this.#options.onChange();
  }

  #isClosed(): PegboardError {
    return unavailable(this.#options.name, 'it is being closed');
  }

  /** Milliseconds that a call waits for the next attempt. Throws while the circuit is open. */
  #msUntilDue(): number {
    const now = this.#options.clock.monotonic();
    const openUntil = this.#backoff.openUntil(now);
    if (openUntil !== undefined) throw resting(this.#options.name, this.error, openUntil - now);
    return Math.min(maxWaitMs, (this.#retry?.dueAt ?? 0) - now);
  }

  /** Joins an attempt that is in progress. */
  #begin(): Promise<C> {
    this.#retry?.timer[Symbol.dispose]();
    this.#retry = undefined;
    this.#attempt ??= this.#tryOnce().finally(() => (this.#attempt = undefined));
    return this.#attempt;
  }

  #retryIn(ms: number): void {
    const { clock } = this.#options;
    // A failure is in `error`, and rejects the calls that wait for the attempt.
    const timer = startTimer(ms, () => void this.#begin().catch(() => {}), clock);
    timer.unref?.();
    this.#retry = { timer, dueAt: clock.monotonic() + ms };
  }

  async #tryOnce(): Promise<C> {
    const { name, open, timeoutMs, clock } = this.#options;
    const { signal: stopped } = this.#stopped;
    this.#enter('connecting', this.error);
    using deadline = openDeadline(timeoutMs, stopped, clock);
    try {
      const connection = await open(deadline.signal);
      if (stopped.aborted) this.#closing.close(connection);
      stopped.throwIfAborted();
      this.#adopt(connection);
      return connection;
    } catch (cause) {
      if (stopped.aborted) throw this.#isClosed();
      const failure = toFailure(name, cause);
      this.#enter(failure.code === 'PEG_SERVER_UNAUTHORIZED' ? 'unauthorized' : 'failed', failure);
      if (!permanent.has(failure.code))
        this.#retryIn(this.#backoff.failed(clock.monotonic(), !this.#isAsked));
      throw failure;
    } finally {
      this.#isAsked = false;
    }
  }

  #adopt(connection: C): void {
    const { clock } = this.#options;
    const started = clock.monotonic();
    this.current = connection;
    this.#enter('ready');
    void connection.ended.then((why) => this.#abandon(connection, why, clock.monotonic() - started));
  }

  #abandon(connection: C, why: string, aliveMs: number): void {
    if (this.current !== connection) return;
    this.current = undefined;
    this.#closing.close(connection);
    if (this.#stopped.signal.aborted) return;
    this.restarts++;
    this.#enter('failed', unavailable(this.#options.name, why));
    const wait = this.#backoff.ended(this.#options.clock.monotonic(), aliveMs);
    if (wait === 0) void this.#begin().catch(() => {});
    else this.#retryIn(wait);
  }

  async #stop(): Promise<void> {
    this.#stopped.abort(this.#isClosed());
    this.#retry?.timer[Symbol.dispose]();
    await this.#attempt?.catch(() => {});
    if (this.current) this.#closing.close(this.current);
    this.current = undefined;
    await this.#closing.settled();
    this.#enter('stopped');
  }
}

export function unavailable(name: string, why: string, cause?: unknown): PegboardError {
  const message = `MCP server "${name}" is not available: ${asSentence(why)}`;
  return new PegboardError('PEG_SERVER_UNAVAILABLE', message, { cause, data: { server: name, reason: why } });
}

function resting(name: string, error: PegboardError | undefined, ms: number): PegboardError {
  const last = error ? ` ${error.message}` : '';
  return unavailable(
    name,
    `it failed too often and is not retried for ${Math.ceil(ms / 1000)} s.${last} A person's call or a login tries at once; \`${pegboard} doctor\` shows more`,
  );
}

function toFailure(name: string, cause: unknown): PegboardError {
  if (cause instanceof PegboardError) return cause;
  return unavailable(name, isTimeout(cause) ? `connecting ${messageOf(cause)}` : messageOf(cause), cause);
}
