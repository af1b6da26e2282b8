import { absolutePath } from '../../absolute-path.ts';
import { toJson } from '../../../core/documents/written-numbers.ts';
import { writeNew } from '../../../core/files/new-file.ts';
import type { CommandHandler } from '../../command.ts';
import { toJsonExport, toMarkdownExport } from '../../sessions/export-text.ts';
import { openSessions } from '../../sessions/open-sessions.ts';

export const run: CommandHandler = async (context) => {
  const { options, terminal } = context;
  const [number = '', file] = context.words;
  await using stored = openSessions(context);
  const session = await stored.named(number);
  const messages = await stored.messages(session);
  const asJson = options.flag('json') || file?.toLowerCase().endsWith('.json') === true;
  if (file === undefined && asJson) return terminal.json(toJsonExport(session, messages));
  const text = asJson ? `${toJson(toJsonExport(session, messages))}\n` : toMarkdownExport(session, messages);
  if (file === undefined) return terminal.out.write(text);
  const path = await writeNew(absolutePath(file, context.surroundings), text);
  terminal.err.line(`Conversation ${session.id} was written to ${path}.`);
};
