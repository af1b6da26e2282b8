import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { absolutePath } from '../../absolute-path.ts';
import { toJson } from '../../../core/documents/written-numbers.ts';
import { PegboardError } from '../../../core/errors.ts';
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
  const wanted = absolutePath(file, context.surroundings);
  // A mistyped path makes no folders.
  if (!existsSync(dirname(wanted)))
    throw new PegboardError(
      'PEG_USAGE',
      `There is no folder ${dirname(wanted)}: make it first, or name a file in one that is there. Nothing was written.`,
    );
  const path = await writeNew(wanted, text);
  terminal.err.line(`Conversation ${session.id} was written to ${path}.`);
};
