import { setTimeout as delay } from 'node:timers/promises';
import { tier } from './run/tiers.ts';

/** Less than a test may take, so that its failure says what came instead. */
const patienceMs = tier === 'usual' ? 50_000 : 150_000;

/** Polls what has no event, and returns the first value that is as wanted: by default, any that is true. */
export async function waitUntil<T>(
  read: () => T | Promise<T>,
  isWanted: (value: T) => boolean = Boolean,
): Promise<T> {
  const late = performance.now() + patienceMs;
  for (;;) {
    const value = await read();
    if (isWanted(value)) return value;
    if (performance.now() > late)
      throw new Error(`${String(read)} is still ${JSON.stringify(value)}, not ${String(isWanted)}`);
    await delay(20);
  }
}
