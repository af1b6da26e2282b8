import { readOwnFiles } from '../config.ts';
import { interpolate } from '../core/documents/interpolate.ts';
import { createDatabase, type Database, type DatabaseOptions } from '../store/database/database.ts';
import { databaseFileOf } from '../store/database/file.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../store/database/postgres/database.ts';

type Options = Pick<DatabaseOptions, 'redact' | 'restored'>;

/** The database that a home uses with this `state` of its configuration. */
export function homeDatabase(home: string, state: string | undefined, options: Options = {}): Database {
  if (state === undefined) return createDatabase(databaseFileOf(home), options);
  const { redact } = options;
  return createPostgresDatabase(state, redact ? { redact } : {});
}

/**
 * For commands without a host: the database of a home by what its files say now. `resolve` finds variables. Throws
 * PEG_CONFIG when `state` is not the address of a Postgres.
 */
export function writtenDatabase(
  home: string,
  resolve: (name: string) => string | undefined,
  options: Options = {},
): Database {
  const state = writtenState(home);
  return homeDatabase(home, state === undefined ? undefined : interpolate(state, resolve).text, options);
}

/** `state` as it is written, with `${NAME}`. Absent: the file in data/. */
export function writtenState(home: string): string | undefined {
  const written = readOwnFiles(home).document?.value as { readonly state?: unknown } | null | undefined;
  return typeof written?.state === 'string' ? written.state : undefined;
}

export const isOnPostgres = (database: Database): database is PostgresDatabase => 'url' in database;
