import { PegboardError } from '../../../core/errors.ts';
import { titleFrom } from '../../../store/conversations/sessions.ts';
import type { CommandHandler } from '../../command.ts';
import { openSessions } from '../../sessions/open-sessions.ts';
import { oneLine } from '../../terminal/safe.ts';

export const run: CommandHandler = async (context) => {
  const [number = '', ...words] = context.words;
  await using stored = openSessions(context);
  const { id } = await stored.named(number);
  const title = titleFrom(words.join(' '));
  if (title === '') throw new PegboardError('PEG_USAGE', 'The title is empty.');
  await stored.sessions.rename(id, title);
  context.terminal.err.line(`Conversation ${id} is called "${oneLine(title)}" now.`);
};
