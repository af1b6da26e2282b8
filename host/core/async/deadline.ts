import type { Clock } from '../../api/surroundings.ts';
import { systemClock } from './clock.ts';
import { startTimer, type Timer } from './timer.ts';

/** A time limit that can be paused, for example while a person is asked. */
export interface Deadline extends Disposable {
  /** Aborts with a TimeoutError when time is up, or with the parent's reason. */
  readonly signal: AbortSignal;
  /** Runs `work` with the timer paused. */
  pausedFor<T>(work: () => Promise<T>): Promise<T>;
}

/** Its timer keeps the process alive, unlike that of AbortSignal.timeout. `ms` at most 2^31-1. */
export function openDeadline(ms: number, parent?: AbortSignal, clock: Clock = systemClock): Deadline {
  const controller = new AbortController();
  const onParentAbort = (): void => controller.abort(parent!.reason);
  let left = ms;
  let startedAt = 0;
  let timer: Timer | undefined;
  let pauses = 0;

  const start = (): void => {
    startedAt = clock.monotonic();
    timer = startTimer(Math.max(0, left), () => controller.abort(timeoutError(ms)), clock);
  };
  const pause = (): void => {
    if (pauses++ > 0) return;
    timer?.[Symbol.dispose]();
    left -= clock.monotonic() - startedAt;
  };
  const resume = (): void => {
    if (--pauses === 0 && !controller.signal.aborted) start();
  };

  if (parent?.aborted) controller.abort(parent.reason);
  else {
    parent?.addEventListener('abort', onParentAbort, { once: true });
    start();
  }
  return {
    signal: controller.signal,
    async pausedFor(work) {
      pause();
      try {
        return await work();
      } finally {
        resume();
      }
    },
    [Symbol.dispose]() {
      pauses = Number.POSITIVE_INFINITY;
      timer?.[Symbol.dispose]();
      parent?.removeEventListener('abort', onParentAbort);
    },
  };
}

/** For work that takes no signal: settles like it, or rejects with a TimeoutError after `ms`. Cheaper than a deadline. */
export function withinLimit<T>(work: PromiseLike<T> | T, ms: number, clock: Clock = systemClock): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = startTimer(ms, () => reject(timeoutError(ms)), clock);
  const settle =
    <V>(end: (value: V) => void) =>
    (value: V): void => {
      timer[Symbol.dispose]();
      end(value);
    };
  Promise.resolve(work).then(settle(resolve), settle(reject));
  return promise;
}

function timeoutError(ms: number): DOMException {
  return new DOMException(`timed out after ${ms / 1000} s`, 'TimeoutError');
}

export function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError';
}

const isAbort = (cause: unknown): boolean => cause instanceof Error && cause.name === 'AbortError';

/** Settles like `work`, or rejects with the signal's reason as soon as it aborts. `work` may continue. */
export function untilAborted<T>(work: PromiseLike<T> | T, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const onAbort = (): void => reject(signal.reason as Error);
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  Promise.resolve(work)
    .then(resolve, reject)
    .finally(() => signal.removeEventListener('abort', onAbort));
  return promise;
}

/** Resolves when the signal aborts. */
export const whenAborted = (signal: AbortSignal): Promise<void> =>
  untilAborted(new Promise<never>(() => {}), signal).catch(() => {});

/**
 * Settles like `work`, which should stop when the signal aborts and may then describe how it was stopped. Success after
 * an abort, and anything after `grace` more milliseconds, becomes a rejection with the signal's reason.
 */
export function untilStopped<T>(
  work: PromiseLike<T> | T,
  signal: AbortSignal,
  { grace, clock = systemClock }: { readonly grace: number; readonly clock?: Clock | undefined },
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let timer: Timer | undefined;
  const giveUp = (): void => reject(signal.reason as Error);
  const onAbort = (): void => void (timer = startTimer(grace, giveUp, clock));
  const end = (settle: () => void): void => {
    timer?.[Symbol.dispose]();
    signal.removeEventListener('abort', onAbort);
    settle();
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  Promise.resolve(work).then(
    (value) => end(() => (signal.aborted ? giveUp() : resolve(value))),
    // Node's own functions only report that they were aborted, not why.
    (cause: unknown) => end(() => (signal.aborted && isAbort(cause) ? giveUp() : reject(cause))),
  );
  return promise;
}
