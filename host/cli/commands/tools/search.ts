import { shownOf } from '../../../tools/shown-results.ts';
import { isVisible } from '../../../tools/access.ts';
import { isMeta } from '../../../tools/meta.ts';
import type { CommandHandler } from '../../command.ts';
import { usageError } from '../../parse.ts';
import { scopeOf } from '../../scope.ts';
import { oneLine } from '../../terminal/safe.ts';
import { renderTable } from '../../terminal/table.ts';
import { listServers } from '../../servers/wait-for-servers.ts';

const defaultLimit = 10;

export const run: CommandHandler = async (context) => {
  const { terminal, options, words, command } = context;
  const given = options.value('limit') ?? String(defaultLimit);
  const limit = Number(given);
  if (!Number.isInteger(limit) || limit < 1)
    throw usageError(command, `-k takes a whole number above 0, not "${given}".`);
  const host = await context.openHost();
  await listServers(host, context);
  const scope = scopeOf(host, context);
  const query = words.join(' ');
  await host.searchPrepared();
  const found = await host.search(query, limit, (tool) => !isMeta(tool) && isVisible(tool, scope));
  const { isSure, shown } = shownOf(found);
  if (options.flag('json')) {
    terminal.json(
      shown.map(({ tool, score, nearest }) => ({
        id: tool.id,
        name: tool.wireName,
        description: tool.description,
        score: Math.round(score * 1000) / 1000,
        ...(nearest && { nearest }),
      })),
    );
    return 0;
  }
  const { out } = terminal;
  if (!isSure) {
    const rest = shown.length > 0 ? ' The nearest, which probably do something else:' : '';
    out.line(`No tool matches "${query}".${rest}`);
    if (shown.length === 0) return 0;
  }
  const columns = [
    { title: 'TOOL', paint: out.style.name },
    // Scores are relative: even a tool that doesn't match would have the full score.
    ...(isSure ? [{ title: 'SCORE', paint: out.style.quiet, alignRight: true }] : []),
    { title: 'DESCRIPTION', shrinks: true },
  ];
  const rows = shown.map(({ tool, score }) => [
    tool.id,
    ...(isSure ? [score.toFixed(2)] : []),
    oneLine(tool.description),
  ]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
  return 0;
};
