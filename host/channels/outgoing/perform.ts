import { setTimeout as delay } from 'node:timers/promises';
import type { DriverParts } from '../driver-parts.ts';
import { failureOf, type ChannelFailure } from '../failure.ts';

export interface PerformOptions {
  readonly signal: AbortSignal;
  /** Idempotent, such as an edit or a reaction: retried when the outcome is unknown. */
  readonly repeatable?: boolean;
}

/** Milliseconds between attempts. */
const firstDelayMs = 250;
const maxDelayMs = 5_000;

/**
 * Calls a service until it succeeds: waits as long as the service asks, or until it can be reached again. Throws a
 * ChannelFailure of the kind `refused` or `unknown`, and the signal's reason.
 */
export async function perform<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { signal, repeatable = false }: PerformOptions,
): Promise<T> {
  for (let wait = firstDelayMs; ; wait = Math.min(wait * 2, maxDelayMs)) {
    signal.throwIfAborted();
    let failure: ChannelFailure;
    try {
      return await work(signal);
    } catch (thrown) {
      signal.throwIfAborted();
      failure = failureOf(thrown);
    }
    if (failure.kind === 'refused') throw failure;
    if (failure.kind === 'unknown' && !repeatable) throw failure;
    await delay(failure.kind === 'busy' ? failure.seconds * 1000 : wait, undefined, { signal });
  }
}

/** Resolves when the service answers again, so that the delivery of the next part isn't uncertain as well. */
export const untilReachable = (
  { driver, status }: Pick<DriverParts, 'driver' | 'status'>,
  signal: AbortSignal,
): Promise<void> => perform(async () => await driver.connect?.(signal, status), { signal, repeatable: true });
