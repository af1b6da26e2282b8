import { existsSync } from 'node:fs';
import { createDatabase } from '../../../store/database/database.ts';
import { databaseFileOf } from '../../../store/database/file.ts';
import { version } from '../../../version.ts';
import type { CommandHandler } from '../../command.ts';

/**
 * Migrates the home's data and opens a host with all plugins. An older version calls this at the end of an upgrade, and
 * takes the upgrade back when it fails: `--json` and `tools` in what it prints must stay.
 */
export const run: CommandHandler = async ({ home, openHost, terminal }) => {
  const path = databaseFileOf(home);
  if (existsSync(path)) {
    await using database = createDatabase(path);
    await database.open();
  }
  const host = await openHost({ mcp: 'off' });
  await host.setUpPlugins();
  await host.registry.settled();
  terminal.json({ version, tools: host.registry.snapshot.tools.size });
};
