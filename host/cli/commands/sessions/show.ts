import type { CommandHandler } from '../../command.ts';
import { toJsonExport } from '../../sessions/export-text.ts';
import { openSessions } from '../../sessions/open-sessions.ts';
import { showMessages } from '../../sessions/show-messages.ts';
import { oneLine } from '../../terminal/safe.ts';

export const run: CommandHandler = async (context) => {
  const { options, terminal, words } = context;
  await using stored = openSessions(context);
  const session = await stored.named(words[0]!);
  const messages = await stored.messages(session);
  if (options.flag('json')) return terminal.json(toJsonExport(session, messages));
  const { out } = terminal;
  out.line(`${out.style.title(oneLine(session.title))}\n`);
  await showMessages(messages, terminal);
};
