import type { Clock } from 'pegboard';
import { systemClock } from 'pegboard/kit';
import { failureOf, type ChannelFailure } from '../failure.ts';

export interface PerformOptions {
  readonly signal: AbortSignal;
  /** Idempotent, such as an edit or a reaction: retried when the outcome is unknown. As a function: for as long as it is true. */
  readonly repeatable?: boolean | (() => boolean);
  /** Of the pauses. Default: the machine's. */
  readonly clock?: Clock;
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
  { signal, repeatable = false, clock = systemClock }: PerformOptions,
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
    const isRepeatable = typeof repeatable === 'function' ? repeatable() : repeatable;
    if (failure.kind === 'unknown' && !isRepeatable) throw failure;
    await clock.sleep(failure.kind === 'busy' ? failure.seconds! * 1000 : wait, signal);
  }
}
