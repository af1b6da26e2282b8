import { writtenDatabase } from '../../host/compose/home-database.ts';
import type { PostgresDatabase } from '../../host/store/database/postgres/database.ts';
import type { Database, DatabaseOptions } from '../../host/store/database/database.ts';

/**
 * The database of a test's home, as its hosts open it: a file, and on the second run of the tests of stores a Postgres
 * database (`postgres` in run/projects.ts).
 */
export const databaseOf = (
  home: { readonly path: string } | string,
  options: Pick<DatabaseOptions, 'redact' | 'restored'> = {},
): Database =>
  writtenDatabase(typeof home === 'string' ? home : home.path, (name) => process.env[name], options);

/** Whether a statement of this process is running or waiting on a server. On a file, none ever is. */
export async function isBusy(database: Database): Promise<boolean> {
  if (!('pool' in database)) return false;
  const pool = await (database as PostgresDatabase).pool();
  return pool.waitingCount > 0 || pool.totalCount > pool.idleCount;
}

/** Whether this run of the tests is on Postgres. */
export const isOnPostgres = process.env['PEGBOARD_TEST_STATE'] === 'postgres';
