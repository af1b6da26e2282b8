import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import { types } from 'node:util';
import threads, { Worker } from 'node:worker_threads';
import { isThenable } from '../async/is-thenable.ts';
import { parseJson, toJson } from '../documents/written-numbers.ts';
import { messageOf, PegboardError, readable } from '../errors.ts';
import { shownLine } from '../foreign/shown-text.ts';
import { asSentence } from '../text/as-sentence.ts';

/** Code that runs in this process and must not end it. */
export interface GuardedCode {
  /** "the plugin dice" */
  readonly name: string;
  /** A sentence: how to do without it. */
  readonly remedy: string;
  /** It is being loaded. Where the process ends meanwhile all the same, it says so. */
  readonly isLoading?: boolean;
  /** Called with what it has thrown where nobody waits for it: in a timer, an event, a promise. */
  readonly onLate: (cause: unknown) => void;
}

interface Guard {
  readonly code: GuardedCode;
  state: 'runs' | 'done' | 'failed';
  readonly failed: PromiseWithResolvers<never>;
  failure?: PegboardError;
}

/** Thrown in guarded code that would have ended the process. */
class RefusedExit extends PegboardError {
  readonly #guard: Guard;

  constructor(guard: Guard, call: string) {
    const { name, remedy, isLoading } = guard.code;
    const subject = isLoading && guard.state === 'runs' ? 'its code' : `The code of ${name}`;
    super(
      'PEG_TOOL_FAILED',
      `${subject} called ${call}, which would have ended Pegboard. It has to throw an error instead. ${remedy}`,
    );
    this.#guard = guard;
  }

  /** Whoever runs the guarded code got the error too. */
  get isReported(): boolean {
    return this.#guard.state === 'failed';
  }
}

/** The guard of the code that runs now: its timers and promises inherit it. */
const current = new AsyncLocalStorage<Guard | undefined>();
const loading = new Set<Guard>();
let isInstalled = false;

/**
 * Runs code that must not end this process. Where it tries to, also in a callback or after it has caught the error, or
 * throws where nobody waits for it, this throws or rejects with PEG_TOOL_FAILED. What it has started and still runs
 * later can't end the process either: see `blame`.
 */
export function guarded<T>(code: GuardedCode, run: () => T): T {
  install();
  const guard: Guard = { code, state: 'runs', failed: Promise.withResolvers() };
  // It is thrown here, unless the code has ended before.
  guard.failed.promise.catch(() => {});
  if (code.isLoading) loading.add(guard);
  const end = (state: 'done' | 'failed'): void => {
    guard.state = state;
    loading.delete(guard);
  };
  const inside = <R>(work: () => R): R => current.run(guard, work);
  try {
    const result = inside(() => settled(run()));
    if (!isThenable(result)) {
      // It may have caught the error.
      if (guard.failure) throw guard.failure;
      end('done');
      return result;
    }
    return Promise.race([guard.failed.promise, result]).then(
      (value) => {
        end('done');
        return value;
      },
      (cause: unknown) => {
        end('failed');
        throw inside(() => settledError(cause));
      },
    ) as T;
  } catch (cause) {
    end('failed');
    throw inside(() => settledError(cause));
  }
}

/** What code has returned, read while it is known whose it is: a getter or `then` of its own may start something. */
function settled<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (types.isPromise(value)) return value.then(settled) as T;
  if (isThenable(value)) return Promise.resolve(value).then(settled) as T;
  if (types.isProxy(value))
    return (Array.isArray(value) ? Array.from(value as unknown[]) : { ...value }) as T;
  const isBare = Object.getPrototypeOf(value) === Object.prototype;
  const own = Object.values(Object.getOwnPropertyDescriptors(value));
  return isBare && own.some((member) => !('value' in member)) ? { ...value } : value;
}

/** The same for what it has thrown: an error that can be read by anybody. */
function settledError(thrown: unknown): unknown {
  const known = readable(thrown);
  if (typeof known !== 'object' || known === null) return known;
  if (!(known instanceof Error) || hasGetter(known)) return plain(known);
  if (!(known instanceof PegboardError) || known.data === undefined) return known;
  const { code, message, cause } = known;
  try {
    return new PegboardError(code, message, { cause, data: parseJson(toJson(known.data)) });
  } catch {
    return new PegboardError(code, message, { cause });
  }
}

/** What others read of an error. */
const members = ['name', 'message', 'cause', 'code', 'data'];

function hasGetter(error: Error): boolean {
  return members.some((name) => {
    let holder: object | null = error;
    while (holder && !Object.hasOwn(holder, name)) holder = Object.getPrototypeOf(holder) as object | null;
    if (!holder || holder === DOMException.prototype) return false;
    return Object.getOwnPropertyDescriptor(holder, name)!.get !== undefined;
  });
}

/** Guarded code has thrown something that nobody has caught. */
export interface Blamed {
  /** Names the code. */
  readonly error: PegboardError;
  /** Whoever runs the code got the error. */
  readonly isTold: boolean;
}

/**
 * Finds whose code threw what nobody has caught, and tells it. Called where the process would end of it, in the context
 * in which it was thrown. Undefined: it was no guarded code.
 */
export function blame(thrown: unknown): Blamed | undefined {
  const guard = current.getStore();
  if (!guard) return undefined;
  const known = readable(thrown);
  const cause = known instanceof RefusedExit ? known : plain(known);
  if (cause instanceof RefusedExit && cause.isReported) return { error: cause, isTold: true };
  const { name, remedy, onLate } = guard.code;
  const message = `The code of ${name} failed where nobody waits for it: ${asSentence(messageOf(cause))} ${remedy}`;
  const error =
    cause instanceof RefusedExit ? cause : new PegboardError('PEG_TOOL_FAILED', message, { cause });
  const isTold = guard.state === 'runs';
  fail(guard, error);
  onLate(cause);
  return { error, isTold };
}

/**
 * What foreign code has thrown, as an error that can be shown and logged: it may refer to itself, or throw when it is
 * read.
 */
function plain(thrown: unknown): Error {
  const error = new Error(messageOf(thrown));
  let stack: unknown;
  try {
    stack = thrown instanceof Error ? thrown.stack : undefined;
  } catch {
    // Its message is all that is known.
  }
  error.stack = typeof stack === 'string' ? stack : error.message;
  return error;
}

/** The function, to be called later by the host: it runs as the code that passes it now. */
export function asCaller<Args extends readonly unknown[], Result>(
  run: (...args: Args) => Result,
): (...args: Args) => Result {
  const guard = current.getStore();
  return guard ? (...args) => current.run(guard, () => run(...args)) : run;
}

/** Arguments for guarded code, in which signals and members `signal` are replaced by signals of its own. */
export type OwnSignals = <Args extends readonly unknown[]>(args: Args) => Args;

/**
 * Called within the guarded code: whatever listens to the signals that it gets runs as that code, whoever aborts them.
 * Others' signals call their listeners as the code that aborts.
 */
export function createOwnSignals(): OwnSignals {
  const known = new WeakMap<AbortSignal, AbortSignal>();
  const ownOf = (signal: AbortSignal): AbortSignal => {
    const there = known.get(signal);
    if (there) return there;
    const own = new AbortController();
    const abort = asCaller(() => own.abort(signal.reason));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    known.set(signal, own.signal);
    return own.signal;
  };
  const replaced = (value: unknown): unknown => {
    if (value instanceof AbortSignal) return ownOf(value);
    const { signal } = (value ?? {}) as { readonly signal?: unknown };
    if (!(signal instanceof AbortSignal)) return value;
    // Its members are of the class, which works with nothing else. Last, since naming the class loads it.
    if (!Object.hasOwn(value as object, 'signal') && value instanceof Request)
      return new Request(value, { signal: ownOf(signal) });
    const members = {
      ...Object.getOwnPropertyDescriptors(value),
      signal: { value: ownOf(signal), enumerable: true },
    };
    return Object.create(Object.getPrototypeOf(value) as object | null, members) as unknown;
  };
  return (args) => args.map(replaced) as unknown as typeof args;
}

/** Runs it on behalf of the host, whatever code it was called from: it may end this process. */
export const withoutGuard = <T>(run: () => T): T => current.run(undefined, run);

/** Node reports the end of a thread, and that its memory is full, outside of the context in which it was started. */
class GuardedWorker extends Worker {
  readonly #guard = current.getStore();

  override emit(event: string | symbol, ...args: readonly unknown[]): boolean {
    const emit = (): boolean => super.emit(event as 'error', ...(args as [unknown]));
    if (!(#guard in this && this.#guard)) return emit();
    return current.run(this.#guard, () => {
      try {
        return emit();
      } catch (cause) {
        // Thrown from here, it would leave the context before anybody looks.
        queueMicrotask(() => {
          throw cause;
        });
        return true;
      }
    });
  }
}

/** The same holds for what is called when an object is gone. */
class GuardedRegistry<T> extends FinalizationRegistry<T> {
  constructor(onGone: (held: T) => void) {
    super(asCaller((held) => queueMicrotask(() => onGone(held))));
  }
}

/** Replaces what ends a process by functions that refuse it to guarded code. Other code doesn't notice. */
function install(): void {
  if (isInstalled) return;
  isInstalled = true;
  for (const name of ['exit', 'reallyExit', 'abort']) guardFunction(name, () => true);
  // Signal 0 only asks whether a process is there.
  guardFunction(
    'kill',
    (pid, signal) => [0, process.pid, -process.pid].includes(Number(pid)) && signal !== 0,
  );
  threads.Worker = GuardedWorker;
  globalThis.FinalizationRegistry = GuardedRegistry;
  syncBuiltinESMExports();
  process.on('exit', tellWhatLoaded);
}

function guardFunction(name: string, ends: (...args: readonly unknown[]) => boolean): void {
  const own = Reflect.get(process, name) as (...args: readonly unknown[]) => unknown;
  Reflect.set(process, name, (...args: readonly unknown[]): unknown => {
    const guard = current.getStore();
    if (guard && ends(...args)) refuse(guard, `process.${name}(${args.join(', ')})`);
    return Reflect.apply(own, process, args);
  });
}

function refuse(guard: Guard, call: string): never {
  const refused = new RefusedExit(guard, call);
  fail(guard, refused);
  throw refused;
}

/** Whoever runs the code gets the error. */
function fail(guard: Guard, cause: PegboardError): void {
  if (guard.state !== 'runs') return;
  guard.state = 'failed';
  guard.failure = cause;
  guard.failed.reject(cause);
}

/** The process ends, by a way that isn't guarded: a success would hide why. */
function tellWhatLoaded(): void {
  for (const { code } of loading)
    process.stderr.write(
      `The process ended while ${shownLine(code.name)} was being loaded. ${shownLine(code.remedy)}\n`,
    );
  if (loading.size > 0) process.exitCode ||= 1;
}
