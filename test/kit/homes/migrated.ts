import { copyFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createDatabase } from '../../../host/store/database/database.ts';
import { databaseFileOf } from '../../../host/store/database/file.ts';
import { createPluginTables } from '../../../host/store/database/plugin-tables.ts';
import { migrations } from '../../../plugins/builtin-core/migrations.ts';
import { coreTables } from '../core-tables.ts';
import { madeOnce } from '../made-once.ts';

/** Gives a home that was not used a database with the tables of the host and of the built-in plugin, which are made once for a run. */
export async function copyMigratedDatabase(home: string): Promise<void> {
  const template = await madeOnce('sqlite-template', async (folder) => {
    await using database = createDatabase(databaseFileOf(folder));
    await createPluginTables(database, coreTables, migrations).open();
  });
  const file = databaseFileOf(home);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await copyFile(databaseFileOf(template), file);
}
