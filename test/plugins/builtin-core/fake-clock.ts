import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../host/api/surroundings.ts';

/** A clock that stands still until it is moved. */
export interface FakeClock extends Clock {
  /** Milliseconds of every requested sleep. */
  readonly sleeps: number[];
  /** Advances time, and wakes all sleepers whose time has come. Resolves when all are asleep again. */
  pass(ms: number): Promise<void>;
  /** The machine slept, or somebody set the clock: the wall clock jumps. */
  jump(ms: number): Promise<void>;
  /** The same while nobody sleeps. */
  set(ms: number): void;
  /** Another sleeper with the same clock. */
  second(): Clock;
  /** Resolves when all sleepers are waiting. */
  idle(): Promise<void>;
}

/** `isBusy`: whether something goes on in the meantime that ends by itself. */
export function createFakeClock(
  start: string,
  isBusy: () => Promise<boolean> = () => Promise.resolve(false),
): FakeClock {
  let now = Date.parse(start);
  let real = 0;
  interface Sleeper {
    readonly until: number;
    readonly wake: () => void;
  }
  const sleepers = new Set<Sleeper>();
  let clocks = 1;
  let changes = 0;
  const sleeps: number[] = [];
  const first = (): Sleeper | undefined => [...sleepers].toSorted((a, b) => a.until - b.until)[0];

  const idle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 10;) {
      const before = changes;
      await setImmediate();
      const isQuiet = sleepers.size === clocks && changes === before && !(await isBusy());
      quiet = isQuiet ? quiet + 1 : 0;
    }
  };
  const sleep = (ms: number, signal: AbortSignal): Promise<void> => {
    sleeps.push(ms);
    if (signal.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const own: Sleeper = {
      until: now + ms,
      wake: () => {
        changes++;
        sleepers.delete(own);
        resolve();
      },
    };
    changes++;
    sleepers.add(own);
    signal.addEventListener('abort', own.wake, { once: true });
    return promise;
  };
  return {
    sleeps,
    now: () => now,
    monotonic: () => real,
    sleep,
    idle,
    set(ms) {
      now += ms;
    },
    second() {
      clocks++;
      return { now: () => now, monotonic: () => real, sleep };
    },
    async pass(ms) {
      const end = now + ms;
      await idle();
      for (let next = first(); next && next.until <= end; next = first()) {
        real += Math.max(0, next.until - now);
        now = Math.max(now, next.until);
        next.wake();
        await idle();
      }
      real += end - now;
      now = end;
    },
    async jump(ms) {
      await idle();
      now += ms;
      for (const sleeper of sleepers) sleeper.wake();
      await idle();
    },
  };
}
