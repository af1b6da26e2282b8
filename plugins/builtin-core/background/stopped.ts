import { setTimeout as delay } from 'node:timers/promises';
import { PegboardError, type Claim } from 'pegboard';

/** Milliseconds in which a host that stops gives its jobs back. */
const longestStopMs = 60_000;

/** Whether a turn ended because its host stops or has lost the job: it goes on with another one. */
export const isLeft = (cause: unknown): boolean =>
  cause instanceof PegboardError && (cause.code === 'PEG_CANCELLED' || cause.code === 'PEG_CLAIM_LOST');

/** Turns end before the jobs that they belong to: waits until the host gives the job back. Throws if it doesn't. */
export async function untilEnded({ signal }: Pick<Claim, 'signal'>): Promise<void> {
  await delay(longestStopMs, undefined, { signal, ref: false }).catch(() => {});
  if (!signal.aborted) throw new Error('a turn was cancelled, and its host did not stop');
}
