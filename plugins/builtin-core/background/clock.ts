import { setTimeout as delay } from 'node:timers/promises';

/** A clock and its timer, replaced in tests. */
export interface Clock {
  /** Milliseconds since 1970 by the system clock, which people and standby can change. */
  now(): number;
  /** A monotonic clock, in milliseconds. */
  monotonic(): number;
  /** Resolves after `ms` or when `signal` aborts, whichever is first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
};
