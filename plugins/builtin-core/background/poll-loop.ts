import type { Clock } from 'pegboard';

/** Maximum milliseconds between rounds, so that changes by other processes or of the clock are noticed in time. */
const syncIntervalMs = 30_000;
/** Maximum number of concurrent jobs. */
const maxJobs = 4;

export interface PollLoopOptions {
  /** Begins what is due. Resolves with the milliseconds until the next due time, or Infinity. */
  readonly round: () => Promise<number>;
  /** Called when a round rejects. It is repeated later. */
  readonly onFailure: (cause: unknown) => void;
  readonly clock: Clock;
}

/**
 * Repeats rounds that look for due work, one after the other, and runs the work in parallel. Disposing cancels and awaits
 * both.
 */
export interface PollLoop extends AsyncDisposable {
  /** Aborts when the loop is disposed. */
  readonly signal: AbortSignal;
  /** Starts a round now. Call it after a change in this process. */
  wake(): void;
  /** Is a job with this id running? */
  isBusy(id: number): boolean;
  readonly isFull: boolean;
  /** `work` must not reject. It resolves with whether another round should start. */
  begin(id: number, work: () => Promise<boolean>): void;
}

/** The first round begins asynchronously. */
export function startPollLoop({ round, onFailure, clock }: PollLoopOptions): PollLoop {
  const closing = new AbortController();
  const { signal } = closing;
  const working = new Map<number, Promise<void>>();
  let waiting = new AbortController();
  let news = false;
  const wake = (): void => {
    news = true;
    waiting.abort();
  };
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      waiting = new AbortController();
      news = false;
      const wait = await round().catch((cause: unknown) => {
        onFailure(cause);
        return syncIntervalMs;
      });
      if (news) continue;
      const either = AbortSignal.any([waiting.signal, signal]);
      await clock.sleep(Math.min(Math.max(wait, 1), syncIntervalMs), either);
    }
  };
  const ended = Promise.resolve().then(loop);
  return {
    signal,
    wake,
    isBusy: (id) => working.has(id),
    get isFull() {
      return working.size >= maxJobs;
    },
    begin(id, work) {
      const run = async (): Promise<void> => {
        const again = await work();
        working.delete(id);
        if (again) wake();
      };
      working.set(id, run());
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new DOMException('Pegboard is stopping', 'AbortError'));
      await ended;
      await Promise.all(working.values());
    },
  };
}
