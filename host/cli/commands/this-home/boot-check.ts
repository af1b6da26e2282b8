import { callable } from '../../../tools/access.ts';
import { writtenDatabase } from '../../../compose/home-database.ts';
import { resolverOf } from '../../../compose/home-secrets.ts';
import { version } from '../../../version.ts';
import type { CommandHandler } from '../../command.ts';

/**
 * Migrates the home's data and opens a host with all plugins. An upgrade calls this before it begins and, of the new
 * version, at its end, and is undone when it fails or when a plugin that worked before does not: `--json`, `tools` and
 * `failed` in what it prints must stay.
 */
export const run: CommandHandler = async ({ home, surroundings, openHost, terminal }) => {
  {
    await using database = writtenDatabase(home, resolverOf(home, surroundings));
    if (database.isThere()) await database.open();
  }
  const host = await openHost({ mcp: 'off' });
  await host.setUpPlugins();
  await host.registry.settled();
  const failed = host.plugins.states
    .filter(({ state }) => state === 'failed')
    .map(({ manifest, problem }) => ({ id: manifest.id, problem: problem ?? 'it does not run' }));
  terminal.json({ version, tools: callable(host.registry.snapshot).length, failed });
};
