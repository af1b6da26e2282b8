import type { AnsweredInstead } from '../api/ask.ts';
import type { Decided, Decision } from '../api/questions.ts';
import { isChoice } from './choices.ts';

/** The reason for withdrawing a question: it was answered elsewhere. The message says by whom, and how. */
export class AnsweredElsewhere extends Error implements AnsweredInstead {
  /** The call that was asked about continues. */
  readonly allowed: boolean;

  constructor(decided: Decided) {
    super(describeDecision(decided));
    this.name = 'AnsweredElsewhere';
    this.allowed = isAllowed(decided);
  }
}

/** Whether what was asked for was given: a permission, or an answer. */
export const isAllowed = ({ decision }: Decided): boolean => isChoice(decision) || decision === 'answered';

/** "Allowed by Anna (@anna), Telegram" */
export function describeDecision(decided: Decided): string {
  if (decided.decision === 'ended') return 'Ended without an answer';
  if (decided.decision === 'answered') return `Answered by ${decided.by}`;
  return `${isAllowed(decided) ? 'Allowed' : 'Declined'}${extents[decided.decision]} by ${decided.by}`;
}

const extents: Readonly<Record<Decision, string>> = {
  once: '',
  file: ' for this file in this conversation',
  folder: ' for this folder in this conversation',
  conversation: ' in this conversation',
  always: ' for always',
  answered: '',
  no: '',
  ended: '',
};
