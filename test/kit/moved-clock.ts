import type { Clock } from '../../host/api/surroundings.ts';
import { systemClock } from '../../host/core/async/clock.ts';

/** A clock that stands still until a test moves it. */
export interface MovedClock extends Clock {
  /** Wakes everybody who sleeps until then. */
  pass(ms: number): void;
  /** Resolves when somebody sleeps that wakes within `ms`, or so many do. */
  sleeper(ms: number, count?: number): Promise<void>;
  /** How many sleep that wake within `ms`. */
  sleeping(ms: number): number;
}

export interface MovedClockOptions {
  /** Milliseconds since 1970. A host that writes times into its database needs today's. */
  readonly start?: number;
  /** The clock moves by itself to the end of a sleep of at most so many milliseconds. Default: of none. */
  readonly skipMs?: number;
}

export function createMovedClock({
  start = Date.parse('2026-03-28T12:00:00Z'),
  skipMs = -1,
}: MovedClockOptions = {}): MovedClock {
  let passed = 0;
  const pass = (ms: number): void => {
    passed += ms;
    for (const [wake, at] of sleepers) if (at <= passed) wake();
  };
  const sleepers = new Map<() => void, number>();
  const sleeping = (ms: number): number => [...sleepers.values()].filter((at) => at <= passed + ms).length;
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
      const at = passed + ms;
      sleepers.set(wake, at);
      signal.addEventListener('abort', wake, { once: true });
      for (const look of waiting) look();
      if (ms <= skipMs) setImmediate(() => sleepers.has(wake) && pass(Math.max(0, at - passed)));
      return promise;
    },
    pass,
    sleeping,
    sleeper(ms, count = 1) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = (): void => {
        if (sleeping(ms) < count) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
      return promise;
    },
  };
}

/** The machine's clock, which moves by itself to the end of a sleep of at most `skipMs`. */
export function createHastyClock(skipMs: number): Clock {
  let skipped = 0;
  return {
    now: () => systemClock.now() + skipped,
    monotonic: () => systemClock.monotonic() + skipped,
    async sleep(ms, signal) {
      if (ms > skipMs) return await systemClock.sleep(ms, signal);
      const until = this.monotonic() + ms;
      await systemClock.sleep(0, signal);
      if (!signal.aborted) skipped += Math.max(0, until - this.monotonic());
    },
  };
}
