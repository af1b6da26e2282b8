import { pegboard } from '../../../core/own-command.ts';
import type { CommandHandler } from '../../command.ts';
import { answerQuestion } from '../../approvals/answer-question.ts';
import { isNumber } from '../../approvals/find-pending.ts';
import { usageError } from '../../parse.ts';

/** For questions only: everything else stays pending until it is approved. */
export const run: CommandHandler = async (context) => {
  const { words, command } = context;
  if (!words.every(isNumber))
    throw usageError(
      command,
      `Give the number of a question, as \`${pegboard} approvals list\` shows it. Everything else that is waiting stays pending until you allow it.`,
    );
  const host = await context.openHost({ mcp: 'off' });
  for (const word of words) await answerQuestion(host, Number(word), context);
};
