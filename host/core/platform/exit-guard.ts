import { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';
import { PegboardError } from '../errors.ts';
import { shownLine } from '../foreign/shown-text.ts';

/** Code that runs in this process and must not end it. */
export interface GuardedCode {
  /** "the plugin dice" */
  readonly name: string;
  /** A sentence: how to do without it. */
  readonly remedy: string;
  /** It is being loaded. Where the process ends meanwhile all the same, it says so. */
  readonly isLoading?: boolean;
}

interface Guard {
  readonly code: GuardedCode;
  state: 'runs' | 'done' | 'failed';
  readonly failed: PromiseWithResolvers<never>;
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
 * Runs code that must not end this process. Where it tries to, also in a callback or after it has caught the error, rejects
 * with PEG_TOOL_FAILED; what it has started and still runs later can't end the process either.
 */
export async function withoutExit<T>(code: GuardedCode, run: () => T | Promise<T>): Promise<T> {
  install();
  const guard: Guard = { code, state: 'runs', failed: Promise.withResolvers() };
  if (code.isLoading) loading.add(guard);
  try {
    const result = await Promise.race([guard.failed.promise, current.run(guard, async () => await run())]);
    guard.state = 'done';
    return result;
  } catch (cause) {
    guard.state = 'failed';
    throw cause;
  } finally {
    loading.delete(guard);
  }
}

/** Runs it on behalf of the host, whatever code it was called from: it may end this process. */
export const withoutGuard = <T>(run: () => T): T => current.run(undefined, run);

/** Is this uncaught error only the consequence of a failure that has been reported? */
export const isReportedExit = (cause: unknown): boolean => cause instanceof RefusedExit && cause.isReported;

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
  if (guard.state === 'runs') {
    guard.state = 'failed';
    guard.failed.reject(refused);
  }
  throw refused;
}

/** The process ends, by a way that isn't guarded: a success would hide why. */
function tellWhatLoaded(): void {
  for (const { code } of loading)
    process.stderr.write(
      `The process ended while ${shownLine(code.name)} was being loaded. ${shownLine(code.remedy)}\n`,
    );
  if (loading.size > 0) process.exitCode ||= 1;
}
