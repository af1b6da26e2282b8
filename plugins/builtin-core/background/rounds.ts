import type { Clock } from './clock.ts';

/** Milliseconds: nothing that another process or the clock changes is noticed later. */
const syncEvery = 30_000;

export interface RoundsOptions {
  /** Starts what is due; resolves with the milliseconds until something else is, Infinity for never. */
  readonly round: () => Promise<number>;
  /** A round that rejected is told, and done again later. */
  readonly onFailure: (cause: unknown) => void;
  readonly clock: Clock;
  /** Ends them. */
  readonly signal: AbortSignal;
}

/** Rounds of looking for what is due, one after the other. */
export interface Rounds {
  /** Something changed in this process: look again now. */
  wake(): void;
  /** Resolves after the signal aborted, when the last round is over. */
  readonly ended: Promise<void>;
}

/** The first begins after the caller's step. */
export function startRounds({ round, onFailure, clock, signal }: RoundsOptions): Rounds {
  let waiting = new AbortController();
  let news = false;
  const loop = async (): Promise<void> => {
    while (!signal.aborted) {
      waiting = new AbortController();
      news = false;
      const wait = await round().catch((cause: unknown) => {
        onFailure(cause);
        return syncEvery;
      });
      if (news) continue;
      await clock.sleep(Math.min(Math.max(wait, 1), syncEvery), AbortSignal.any([waiting.signal, signal]));
    }
  };
  return {
    wake: () => {
      news = true;
      waiting.abort();
    },
    ended: Promise.resolve().then(loop),
  };
}
