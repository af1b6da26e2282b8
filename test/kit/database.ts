import { writtenDatabase } from '../../host/compose/home-database.ts';
import type { Database, DatabaseOptions } from '../../host/store/database/database.ts';

/**
 * The database of a test's home, as its hosts open it: a file, and on the second run of the tests of stores a Postgres
 * database (`postgres` in vitest.config.ts).
 */
export const databaseOf = (
  home: { readonly path: string } | string,
  options: Pick<DatabaseOptions, 'redact' | 'restored'> = {},
): Database =>
  writtenDatabase(typeof home === 'string' ? home : home.path, (name) => process.env[name], options);

/** Whether this run of the tests is on Postgres. */
export const isOnPostgres = process.env['PEGBOARD_TEST_STATE'] === 'postgres';
