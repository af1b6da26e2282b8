import type { OpenQuestionRow } from '../../wire.ts';
import type { Said } from './answer.ts';

/** What each kind of question is given to be answered. */
export interface AnswerProps {
  readonly question: OpenQuestionRow;
  readonly isBusy: boolean;
  readonly say: (said: Said) => void;
  /** Why the last answer was refused. */
  readonly refused: unknown;
}

export function Decline({ isBusy, say }: Pick<AnswerProps, 'isBusy' | 'say'>) {
  return (
    <button type="button" class="no" aria-disabled={isBusy} onClick={() => say({ decision: 'no' })}>
      Decline
    </button>
  );
}
