import type { OpenQuestionRow, QuestionOutcome } from '../../wire.ts';
import { post } from '../api.ts';
import { withProof } from '../proof.ts';
import { answering, settle } from '../screens/approvals/cards.ts';
import { verdictOf } from '../screens/approvals/verdict.ts';

/** What is sent for a question: see the host's `readAnswer`. */
export interface Said {
  readonly decision: string;
  readonly content?: object;
  readonly files?: readonly string[];
  readonly shown?: string;
}

/** Sends an answer, and shows what came of it. False: the person did not show that it is them. Throws ApiError. */
export async function answer(question: OpenQuestionRow, said: Said): Promise<boolean> {
  answering.add(question.id);
  try {
    const outcome = await withProof(() => post<QuestionOutcome>(`question/${question.id}`, said));
    if (outcome) settle(question, verdictOf(outcome));
    return outcome !== undefined;
  } finally {
    answering.delete(question.id);
  }
}
