import type { Ask } from '../api/ask.ts';
import { untilAborted } from '../core/async/deadline.ts';

/**
 * For work that nobody attends, in a host that stays: whether a tool may run waits for the owner, who answers it
 * elsewhere; other questions find nobody.
 */
export const askElsewhere: Ask = async ({ elsewhere }, signal) => {
  if (!elsewhere) return { action: 'cancel' };
  elsewhere();
  return await untilAborted(new Promise<never>(() => {}), signal);
};
