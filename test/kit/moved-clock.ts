import type { Clock } from '../../host/api/surroundings.ts';

/** A clock that stands still until a test moves it. */
export interface MovedClock extends Clock {
  /** Wakes everybody who sleeps until then. */
  pass(ms: number): void;
  /** Resolves when somebody sleeps that wakes within `ms`. */
  sleeper(ms: number): Promise<void>;
}

export function createMovedClock(start = Date.parse('2026-03-28T12:00:00Z')): MovedClock {
  let passed = 0;
  const sleepers = new Map<() => void, number>();
  const waiting = new Set<() => void>();
  return {
    now: () => start + passed,
    monotonic: () => passed,
    sleep(ms, signal) {
      if (signal.aborted) return Promise.resolve();
      const { promise, resolve } = Promise.withResolvers<void>();
      const wake = (): void => {
        sleepers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      sleepers.set(wake, passed + ms);
      signal.addEventListener('abort', wake, { once: true });
      for (const look of waiting) look();
      return promise;
    },
    pass(ms) {
      passed += ms;
      for (const [wake, at] of sleepers) if (at <= passed) wake();
    },
    sleeper(ms) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = (): void => {
        if (![...sleepers.values()].some((at) => at <= passed + ms)) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      return promise;
    },
  };
}
