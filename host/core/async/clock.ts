import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../api/surroundings.ts';

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
};
