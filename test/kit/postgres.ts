import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { connect } from 'node:net';
import { describe } from 'vitest';
import { createPluginTables } from '../../host/store/database/plugin-tables.ts';
import { createPostgresDatabase } from '../../host/store/database/postgres/database.ts';
import { migrations } from '../../plugins/builtin-core/migrations.ts';
import { coreTables } from './core-tables.ts';
import { openEngineOn } from './engine/open-engine.ts';
import { madeOnce } from './made-once.ts';
import { hasPostgres } from './postgres-programs.ts';
import { createDatabase } from './postgres-server.ts';
import { sharedPostgres } from './shared-postgres.ts';

export { freePort, serverAccount, startPostgres } from './postgres-server.ts';

/** Tests that need a Postgres server are skipped where it is not installed. */
export function describePostgres(name: string, tests: () => void): void {
  describe.skipIf(!hasPostgres)(hasPostgres ? name : `${name} (skipped: Postgres is not installed)`, tests);
}

/** Numbers of processes come again within a run. */
const newName = (): string => `test_${randomUUID().replaceAll('-', '')}`;

/** The URL of an empty database, on a server that the whole test run shares. */
export async function postgresUrl(): Promise<string> {
  return await createDatabase(await port(), newName());
}

const template = 'migrated';

/** The same with the tables of a home and of the built-in plugin, which are made once. */
export async function migratedPostgresUrl(): Promise<string> {
  const server = await port();
  await madeOnce('postgres-template', async () => {
    await using database = createPostgresDatabase(await createDatabase(server, template));
    await createPluginTables(database, coreTables, migrations).open();
    await using _engine = await openEngineOn(database);
  });
  return await createDatabase(server, newName(), template);
}

let known: Promise<number> | undefined;

/** Of the server of this run, which starts when the first test asks for it. */
const port = (): Promise<number> =>
  (known ??= text(connect(sharedPostgres())).then((said) => {
    if (!/^\d+$/.test(said)) throw new Error(said);
    return Number(said);
  }));
