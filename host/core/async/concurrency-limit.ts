import { PegboardError } from '../errors.ts';

export interface ConcurrencyLimitOptions {
  /** What goes in, for the refusal: "tool calls run". */
  readonly what: string;
  /** At once inside. */
  readonly limit: number;
  /** At once before it; more are turned away. */
  readonly maxQueued: number;
  /** Milliseconds that anybody waits. */
  readonly queueTimeoutMs: number;
}

/** Lets so many in at once; the others wait their turn, in the order in which they came. */
export interface ConcurrencyLimit {
  /**
   * Who is let in at once gets undefined, without cost; a promise resolves when it is their turn. Throws or rejects with
   * PEG_BUSY when too many wait or it takes too long, or with the signal's reason. Who was let in has to leave.
   */
  enter(signal: AbortSignal): Promise<void> | undefined;
  leave(): void;
}

export function createConcurrencyLimit({
  what,
  limit,
  maxQueued,
  queueTimeoutMs,
}: ConcurrencyLimitOptions): ConcurrencyLimit {
  let inside = 0;
  /** First come, first served; each lets one in. */
  const queue = new Set<() => void>();

  const busy = (why: string): PegboardError =>
    new PegboardError(
      'PEG_BUSY',
      `${limit} ${what} already, and ${why}. Nothing was run. Try again when some of them have ended.`,
    );
  const wait = async (signal: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const goAway = (cause: Error): void => {
      // At once: a place that becomes free now is another's.
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
      if (!next) {
        inside--;
        return;
      }
      // The place is handed on: nobody who comes now gets between.
      queue.delete(next);
      next();
    },
  };
}
