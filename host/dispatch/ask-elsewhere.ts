import type { Ask } from '../api/ask.ts';
import { untilAborted } from '../core/async/deadline.ts';

/**
 * For work in a long-running host at which nobody is present: the question waits for the owner to answer it elsewhere.
 * Cancelled where that is impossible.
 */
export const askElsewhere: Ask = waitingElsewhere('always');

/** The same for callers that wait themselves: a question that nobody is shown fails at once. */
export const askWhereSeen: Ask = waitingElsewhere('seen');

function waitingElsewhere(waits: 'always' | 'seen'): Ask {
  return async ({ elsewhere }, signal) => {
    if (!elsewhere) return { action: 'cancel' };
    elsewhere(waits);
    return await untilAborted(new Promise<never>(() => {}), signal);
  };
}
