import { PegboardError } from '../../../core/errors.ts';
import { exactText } from '../../../core/foreign/shown-text.ts';
import { pendingIn } from '../../../approvals/pending-in-host.ts';
import { approveCommand } from '../../../approvals/pending-approval.ts';
import type { CommandHandler } from '../../command.ts';
import { findPending, isNumber } from '../../approvals/find-pending.ts';
import { showQuestion } from '../../approvals/show-question.ts';
import { withMargin } from '../../terminal/with-margin.ts';
import { oneLine } from '../../terminal/safe.ts';

/** Shows the whole difference: exactly this would be approved. */
export const run: CommandHandler = async (context) => {
  const { words, terminal, options } = context;
  const { out } = terminal;
  const [word = ''] = words;
  const host = await context.openHost({ mcp: 'on-demand' });
  if (isNumber(word)) {
    const question = (await host.questions.list()).find(({ id }) => id === Number(word));
    if (!question) throw new PegboardError('PEG_USAGE', `There is no question ${word} that is waiting.`);
    if (options.flag('json')) return terminal.json(question);
    for (const line of showQuestion(question, out)) out.line(line);
    return;
  }
  const pending = findPending(word, pendingIn(host));
  const { question, detail, warnings } = pending.review();
  if (options.flag('json')) return terminal.json({ id: pending.id, question, detail, warnings });
  out.line(out.style.title(oneLine(question)));
  for (const line of withMargin(exactText(detail).split('\n'), out, (text) => text)) out.line(line);
  for (const text of warnings) out.line(out.style.warning(`Careful: ${oneLine(text)}.`));
  out.line(approveCommand(pending));
};
