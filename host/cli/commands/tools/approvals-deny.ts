import type { CommandHandler } from '../../command.ts';
import { answerQuestion } from '../../approvals/answer-question.ts';
import { isNumber } from '../../approvals/find-pending.ts';
import { usageError } from '../../parse.ts';

/** Of questions: whatever else waits stays held back until it is allowed. */
export const run: CommandHandler = async (context) => {
  const { words, command } = context;
  if (!words.every(isNumber))
    throw usageError(
      command,
      'Which question? `pegboard approvals list` has their numbers. All else that waits is held back until you allow it.',
    );
  const host = await context.openHost({ mcp: 'off' });
  for (const word of words) await answerQuestion(host, Number(word), context);
};
