import { setTimeout as delay } from 'node:timers/promises';

/** The time, and waiting for it; tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970 by the system clock, which people and standby can change. */
  now(): number;
  /** Milliseconds that only ever grow. */
  monotonic(): number;
  /** Resolves after `ms` or when `signal` aborts, whichever is first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
};
