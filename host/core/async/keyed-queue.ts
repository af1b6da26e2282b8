import { untilAborted } from './deadline.ts';

/** Runs work with the same key one after the other, in order of arrival, and work with different keys concurrently. */
export interface KeyedQueue {
  /** Settles like `work`. Work whose signal aborts while it waits is skipped, and rejects with the signal's reason. */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createKeyedQueue(): KeyedQueue {
  /** The last work of each key, which the next one waits for. Never rejects. */
  const tails = new Map<string, Promise<unknown>>();
  return {
    run(key, work, signal) {
      const before = tails.get(key) ?? Promise.resolve();
      const result = (signal ? untilAborted(before, signal) : before).then(work);
      const tail = Promise.allSettled([before, result]).finally(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      tails.set(key, tail);
      return result;
    },
  };
}
