import type { Ask } from '../api/ask.ts';
import { untilAborted } from '../core/async/deadline.ts';

/**
 * For work in a long-running host at which nobody is present: the question waits for the owner to answer it elsewhere.
 * Cancelled where that is impossible.
 */
export const askElsewhere: Ask = async ({ elsewhere }, signal) => {
  if (!elsewhere) return { action: 'cancel' };
  elsewhere();
  return await untilAborted(new Promise<never>(() => {}), signal);
};
