import type { AnsweredInstead } from '../api/ask.ts';
import type { Decided } from '../api/questions.ts';

/** Why a question is withdrawn: somebody else has answered it. The message says who, and how. */
export class AnsweredElsewhere extends Error implements AnsweredInstead {
  /** What was asked about goes on. */
  readonly allowed: boolean;

  constructor(decided: Decided) {
    super(describeDecision(decided));
    this.name = 'AnsweredElsewhere';
    this.allowed = isAllowed(decided);
  }
}

export const isAllowed = ({ decision }: Decided): boolean => decision === 'once' || decision === 'always';

/** "Allowed by Anna (@anna), Telegram" */
export function describeDecision(decided: Decided): string {
  if (decided.decision === 'ended') return 'Ended without an answer';
  const always = decided.decision === 'always' ? ' for always' : '';
  return `${isAllowed(decided) ? 'Allowed' : 'Declined'}${always} by ${decided.by}`;
}
