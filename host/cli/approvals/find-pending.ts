import { PegboardError } from '../../core/errors.ts';
import { nearest } from '../../core/documents/nearest.ts';
import type { PendingApproval } from '../../approvals/pending-approval.ts';

/** Whether the word is a question's number. */
export const isNumber = (word: string): boolean => /^\d{1,15}$/.test(word);

/** Throws PEG_USAGE with a near name. */
export function findPending(word: string, pending: readonly PendingApproval[]): PendingApproval {
  const found = pending.find(({ id }) => id === word || id === `spaces/${word}`);
  if (found) return found;
  const ids = pending.map(({ id }) => id);
  const [near] = nearest(word, ids);
  const there = ids.length === 0 ? 'Nothing is waiting.' : `Waiting: ${ids.join(', ')}.`;
  throw new PegboardError(
    'PEG_USAGE',
    `Nothing called "${word}" is waiting for approval. ${near === undefined ? there : `Did you mean ${near}?`}`,
  );
}
