import { untilAborted } from './deadline.ts';

/** Work of one key runs one after the other, in the order in which it came; that of different keys side by side. */
export interface KeyedQueue {
  /** Settles like `work`. Work whose signal aborts while it waits is left out, and rejects with the signal's reason. */
  run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createKeyedQueue(): KeyedQueue {
  /** What has to end before the next of the key begins. Never rejects. */
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
