import { setTimeout as delay } from 'node:timers/promises';
import type { BotApi } from './bot-api.ts';
import { failureOf, type Failure } from './failure.ts';

/** Telegram refused a request, or its outcome is unknown. */
export class TelegramFailure extends Error {
  readonly failure: Failure & { readonly kind: 'refused' | 'unknown' };
  constructor(failure: TelegramFailure['failure']) {
    super(failure.reason);
    this.failure = failure;
  }
}

export interface PerformOptions {
  readonly signal: AbortSignal;
  /** Doing it twice is the same as once: an edit, a reaction. Then a broken connection is no reason to stop. */
  readonly repeatable?: boolean;
}

/** Resolves when Telegram answers again: what is certainly not sent yet must not be put in doubt as well. */
export const untilReachable = async (api: BotApi, signal: AbortSignal): Promise<void> =>
  void (await perform(() => api.raw.getMe(), { signal, repeatable: true }));

/** Milliseconds between attempts. */
const firstDelayMs = 250;
const maxWaitMs = 5_000;

/**
 * Calls Telegram until it has taken it: waits as long as it is told to, or until it can be reached again. Throws
 * TelegramFailure, and the signal's reason.
 */
export async function perform<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { signal, repeatable = false }: PerformOptions,
): Promise<T> {
  for (let wait = firstDelayMs; ; wait = Math.min(wait * 2, maxWaitMs)) {
    signal.throwIfAborted();
    let failure: Failure;
    try {
      return await work(signal);
    } catch (thrown) {
      signal.throwIfAborted();
      failure = failureOf(thrown);
    }
    if (failure.kind === 'refused') throw new TelegramFailure(failure);
    if (failure.kind === 'unknown' && !repeatable) throw new TelegramFailure(failure);
    await delay(failure.kind === 'busy' ? failure.seconds * 1000 : wait, undefined, { signal });
  }
}
