import type { ClaimEnd } from '../api/engine.ts';
import { PegboardError } from '../core/errors.ts';

const reasons: Record<ClaimEnd, string> = {
  taken: 'another host works on it now',
  cancelled: 'it was cancelled',
  stopping: 'this host is stopping',
  unknown: 'the database could not be asked for too long',
};

/** A claim that has ended early. `data` is the ClaimEnd. */
export const claimLost = (why: ClaimEnd): PegboardError =>
  new PegboardError('PEG_CLAIM_LOST', `This host has to leave a job: ${reasons[why]}.`, { data: why });

/** Undefined for any other error. */
export const claimEndOf = (thrown: unknown): ClaimEnd | undefined =>
  thrown instanceof PegboardError && thrown.code === 'PEG_CLAIM_LOST' ? (thrown.data as ClaimEnd) : undefined;
