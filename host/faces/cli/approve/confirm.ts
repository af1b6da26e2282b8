import type { Question } from '../../../api/ask.ts';
import { PegboardError } from '../../../core/errors.ts';
import type { Context } from '../command.ts';
import { createAsk } from '../terminal/ask.ts';

/** Asks the person at the terminal; --yes takes it as seen. Throws PEG_NOBODY_TO_ASK and PEG_DECLINED. */
export async function confirm(question: Question, { terminal, options, signal }: Context): Promise<void> {
  if (options.flag('yes')) return;
  const ask = createAsk(terminal);
  if (!ask)
    throw new PegboardError(
      'PEG_NOBODY_TO_ASK',
      'Nothing was approved: there is nobody to ask. Read what is shown above, then say --yes.',
    );
  const answer = await ask(question, signal);
  if (answer.action !== 'accept') throw new PegboardError('PEG_DECLINED', 'Nothing was approved.');
}
