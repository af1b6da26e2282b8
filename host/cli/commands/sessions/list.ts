import { nearest } from '../../../core/documents/nearest.ts';
import { PegboardError } from '../../../core/errors.ts';
import { pegboard } from '../../../core/own-command.ts';
import { shortTime } from '../../../core/text/short-time.ts';
import { conversationFolder } from '../../../core/files/project.ts';
import { workplaceAt } from '../../../workplace.ts';
import type { CommandHandler, Context } from '../../command.ts';
import { usageError } from '../../parse.ts';
import { openSessions } from '../../sessions/open-sessions.ts';
import { commandsIn } from '../../find-command.ts';
import { oneLine } from '../../terminal/safe.ts';
import { renderTable } from '../../terminal/table.ts';

const defaultLimit = 50;

export const run: CommandHandler = async (context) => {
  const { options, terminal, words } = context;
  const meant = meantCommand(words);
  // What all of them take is a number, for which nobody searches with a word like that.
  if (meant !== undefined && /^\d+$/.test(words[1] ?? ''))
    throw new PegboardError(
      'PEG_USAGE',
      `There is no "${pegboard} sessions ${words[0]}". Did you mean "${meant}"? In quotes, the words are searched for.`,
    );
  await using stored = openSessions(context);
  const source = options.value('source');
  const found = await stored.sessions.list({
    limit: limitFrom(context),
    ...(source !== undefined && { source }),
    ...(words.length > 0 && { words: words.join(' ') }),
  });
  if (options.flag('json')) return terminal.json({ sessions: found });
  const { out, err } = terminal;
  if (found.length === 0) {
    if (words.length === 0) return err.line('There are no conversations yet.');
    const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
    return err.line(`No conversation says "${oneLine(words.join(' '))}".${hint}`);
  }
  const columns = [
    { title: 'NUMBER', paint: out.style.name, alignRight: true },
    { title: 'TITLE', shrinks: true },
    { title: 'LAST' },
    { title: 'MESSAGES', alignRight: true },
    { title: 'SOURCE' },
    { title: '', paint: out.style.quiet },
  ];
  const workplace = workplaceAt(context.home, context.surroundings);
  const here = workplace && conversationFolder(workplace);
  const rows = found.map(({ id, title, lastAt, messages, source: from, isOpen, parent, folder }) => [
    String(id),
    oneLine(title),
    shortTime(lastAt),
    String(messages),
    from,
    [
      ...(isOpen ? ['open'] : []),
      ...(parent === undefined ? [] : [`from ${parent}`]),
      ...(folder === undefined || folder === here ? [] : [`in ${oneLine(folder)}`]),
    ].join(', '),
  ]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
};

/** The command that the words may mean, for a message: `sessions sho 3` → `sessions show 3`. */
function meantCommand([first = '', ...rest]: readonly string[]): string | undefined {
  if (/\s/.test(first)) return undefined;
  const names = commandsIn('sessions').map(({ name }) => name.split(' ')[1]!);
  const [near] = nearest(first, names);
  return near === undefined ? undefined : [pegboard, 'sessions', near, ...rest].map(oneLine).join(' ');
}

function limitFrom({ options, command }: Context): number {
  const given = options.value('limit') ?? String(defaultLimit);
  const limit = Number(given);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100_000) return limit;
  throw usageError(command, `--limit takes a whole number above 0, not "${given}".`);
}
