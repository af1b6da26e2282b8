import { pegboard } from '../../../core/own-command.ts';
import type { CommandHandler } from '../../command.ts';
import { usageError } from '../../parse.ts';
import { kindsOf } from '../../../sources/mcp/registry/install-options.ts';
import { listEntries } from '../../servers/registry/list-entries.ts';
import { openConfiguredRegistry } from '../../servers/registry/open.ts';
import { oneLine } from '../../terminal/safe.ts';

const defaultLimit = 20;

/** Nothing found is not an error. */
export const run: CommandHandler = async (context) => {
  const { terminal, options, words, command, signal } = context;
  const given = options.value('limit') ?? String(defaultLimit);
  const limit = Number(given);
  if (!Number.isInteger(limit) || limit < 1)
    throw usageError(command, `-k takes a whole number above 0, not "${given}".`);
  const registry = await openConfiguredRegistry(context);
  const wanted = words.flatMap((word) => word.split(/\s+/)).filter((word) => word !== '');
  if (wanted.length === 0) throw usageError(command, 'Give at least one word to search for.');
  const found = await registry.search(wanted, signal);
  const shown = found.slice(0, limit);
  if (options.flag('json')) {
    return terminal.json({
      registry: registry.address,
      servers: shown.map((server) => ({
        name: server.name,
        version: server.version,
        ...(server.title !== undefined && { title: server.title }),
        description: server.description,
        status: server.status,
        ...(server.repository !== undefined && { repository: server.repository }),
        from: kindsOf(server),
      })),
      left: found.length - shown.length,
    });
  }
  const { out, err } = terminal;
  if (shown.length === 0)
    return err.line(
      `No server at ${oneLine(registry.address)} has "${wanted.join(' ')}" in its name. A registry searches names only.`,
    );
  for (const line of listEntries(shown, out)) out.line(line);
  if (found.length > shown.length)
    err.line(`${found.length - shown.length} more: -k ${found.length} shows all of them.`);
  err.line(`Add one with: ${pegboard} mcp add NAME`);
};
