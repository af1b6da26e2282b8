import type { Answer, Question } from '../../api/ask.ts';
import type { ToolCall } from '../../api/tool.ts';
import { isTimeout } from '../../core/async/deadline.ts';
import { pegboard } from '../../core/own-command.ts';
import { PegboardError } from '../../core/errors.ts';

/** How long a person may take. */
const answerMs = 5 * 60_000;

/** The answer; undefined when there is none in time. Throws PEG_NOBODY_TO_ASK when nobody can be asked anywhere. */
export async function askOwner(question: Question, { ask, signal }: ToolCall): Promise<Answer | undefined> {
  const late = AbortSignal.timeout(answerMs);
  try {
    const answer = await ask(question, AbortSignal.any([signal, late]));
    if (answer.unasked)
      throw new PegboardError(
        'PEG_NOBODY_TO_ASK',
        `Nobody can be asked: no page of Pegboard is open, and no chat or terminal takes part. \`${pegboard} dashboard\` opens a page.`,
      );
    return answer;
  } catch (cause) {
    if (isTimeout(cause) && late.aborted && !signal.aborted) return undefined;
    throw cause;
  }
}

/** What a tool returns when nothing was chosen. */
export function withoutAnswer(answer: Answer | undefined, what: string): string {
  if (!answer) return `Nobody answered within 5 minutes. ${what}`;
  return answer.action === 'decline' ? `The user declined. ${what}` : `The user closed it. ${what}`;
}
