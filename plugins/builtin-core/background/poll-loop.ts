import type { Clock } from './clock.ts';

/** Milliseconds: nothing that another process or the clock changes is noticed later. */
const syncIntervalMs = 30_000;
/** Pieces of work at a time. */
const maxJobs = 4;

export interface PollLoopOptions {
  /** Begins what is due; resolves with the milliseconds until something else is, Infinity for never. */
  readonly round: () => Promise<number>;
  /** A round that rejected is told, and done again later. */
  readonly onFailure: (cause: unknown) => void;
  readonly clock: Clock;
}

/**
 * Rounds of looking for what is due, one after the other, and what they begin, beside them. Disposing cancels and awaits
 * all of it.
 */
export interface PollLoop extends AsyncDisposable {
  /** Aborts when they are disposed. */
  readonly signal: AbortSignal;
  /** Something changed in this process: look again now. */
  wake(): void;
  /** By its number: is it worked on? */
  isBusy(id: number): boolean;
  readonly isFull: boolean;
  /** Must not reject. Resolves with whether there is a reason to look again. */
  begin(id: number, work: () => Promise<boolean>): void;
}

/** The first round begins after the caller's step. */
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
