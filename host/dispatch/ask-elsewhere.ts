import type { Ask } from '../api/ask.ts';
import { untilAborted } from '../core/async/deadline.ts';

/**
 * For unattended work in a long-running host: a confirmation waits for the owner to answer it elsewhere; other questions
 * are cancelled.
 */
export const askElsewhere: Ask = async ({ elsewhere }, signal) => {
  if (!elsewhere) return { action: 'cancel' };
  elsewhere();
  return await untilAborted(new Promise<never>(() => {}), signal);
};
