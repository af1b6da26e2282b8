import { PegboardError } from '../errors.ts';
import { asSentence } from '../text/as-sentence.ts';

export interface ConcurrencyLimitOptions {
  /** What is limited, for the error message: "tool calls". */
  readonly what: string;
  /** Maximum number running at once. */
  readonly limit: number;
  /** Maximum number waiting. More are rejected. */
  readonly maxQueued: number;
  /** Maximum milliseconds of waiting. */
  readonly queueTimeoutMs: number;
}

/** Limits how many run at once. The others wait in order of arrival. */
export interface ConcurrencyLimit {
  /**
   * Returns undefined if there is a free slot, or else a promise that resolves when it is this caller's turn. Throws or
   * rejects with PEG_BUSY when too many wait or it takes too long, or with the signal's reason. Every caller that
   * entered has to leave.
   */
  enter(signal: AbortSignal): Promise<void> | undefined;
  leave(): void;
  /** Enters again after leaving for a while, even when there is no free slot. */
  reenter(): void;
}

export function createConcurrencyLimit({
  what,
  limit,
  maxQueued,
  queueTimeoutMs,
}: ConcurrencyLimitOptions): ConcurrencyLimit {
  let inside = 0;
  /** In order of arrival; each function admits one caller. */
  const queue = new Set<() => void>();

  const busy = (why: string): PegboardError =>
    new PegboardError(
      'PEG_BUSY',
      `${limit} ${what} are already running, and ${asSentence(why)} Nothing was run. Try again when some of them have ended.`,
    );
  const wait = async (signal: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const goAway = (cause: Error): void => {
      // Immediately, so that a slot that becomes free now goes to another caller.
      queue.delete(resolve);
      reject(cause);
    };
    const giveUp = (): void => goAway(busy(`none of them ended within ${queueTimeoutMs / 1000} seconds`));
    const onAbort = (): void => goAway(signal.reason as Error);
    const timer = setTimeout(giveUp, queueTimeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    queue.add(resolve);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  };
  return {
    enter(signal) {
      if (inside < limit) {
        inside++;
        return undefined;
      }
      if (queue.size >= maxQueued) throw busy(`${maxQueued} more wait for their turn`);
      return wait(signal);
    },
    leave() {
      const [next] = queue;
      if (!next || inside > limit) {
        inside--;
        return;
      }
      // The slot is passed on directly, so that a new caller can't take it.
      queue.delete(next);
      next();
    },
    reenter() {
      inside++;
    },
  };
}
