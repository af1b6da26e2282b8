import { LRUCache } from 'lru-cache';
import { PegboardError, toJson, type Caller, type PluginContext, pegboard } from 'pegboard';
import type { SqlDatabase } from './database.ts';
import { postgresDatabase } from './postgres.ts';
import { sqliteDatabase } from './sqlite.ts';
import { sqliteFile } from './sqlite-file.ts';

interface Opening {
  readonly connection_id?: string;
  readonly driver?: 'sqlite' | 'postgres';
  /** Path of an SQLite file. */
  readonly database?: string;
}

/**
 * The databases that each agent has connected, by its own names. No connection is kept open: a name only says where to
 * connect.
 */
export interface DatabaseConnections {
  /** Throws PEG_DENIED, PEG_MISSING_VARIABLE and PEG_INVALID_ARGUMENTS. `id`: what `find` takes. */
  connect(
    opening: Opening,
    caller: Pick<Caller, 'scope'>,
  ): Promise<{ readonly id: string; readonly name: string }>;
  /** A connection by its name, or the path of an SQLite file. Throws PEG_INVALID_ARGUMENTS. */
  find(id: string | undefined, caller: Pick<Caller, 'scope'>): SqlDatabase;
}

export const defaultId = 'main';
const maxConnections = 1_000;

export function createDatabaseConnections(
  url: string | undefined,
  { knownFoldersFor, surroundings }: Pick<PluginContext, 'knownFoldersFor' | 'surroundings'>,
): DatabaseConnections {
  const open = new LRUCache<string, SqlDatabase>({ max: maxConnections });
  const keyOf = (id: string, { scope }: Pick<Caller, 'scope'>): string => toJson([scope.agent ?? null, id]);
  const sqlite = (path: string, { scope }: Pick<Caller, 'scope'>): SqlDatabase =>
    sqliteDatabase(async () => sqliteFile(path, await knownFoldersFor(scope)), surroundings);
  const postgres = (): SqlDatabase => {
    if (url !== undefined) return postgresDatabase(url);
    throw new PegboardError(
      'PEG_MISSING_VARIABLE',
      `DATABASE_URL is not set: it is the address of Postgres. \`${pegboard} secret set DATABASE_URL\` stores it.`,
    );
  };
  return {
    async connect({ connection_id: id = defaultId, driver = 'sqlite', database }, caller) {
      if (driver === 'sqlite' && database === undefined)
        throw new PegboardError('PEG_INVALID_ARGUMENTS', '`database` names the SQLite file.');
      // The owner decides which server is contacted, never a model.
      if (driver === 'postgres' && database !== undefined)
        throw new PegboardError(
          'PEG_INVALID_ARGUMENTS',
          'Postgres is the one of DATABASE_URL: leave out `database`.',
        );
      const opened = driver === 'sqlite' ? sqlite(database!, caller) : postgres();
      const name = await opened.name();
      open.set(keyOf(id, caller), opened);
      return { id, name };
    },
    find(id = defaultId, caller) {
      const known = open.get(keyOf(id, caller));
      if (known) return known;
      if (id === defaultId && url !== undefined) return postgres();
      if (/[./\\]/.test(id)) return sqlite(id, caller);
      throw new PegboardError(
        'PEG_INVALID_ARGUMENTS',
        `There is no connection "${id}". Open one with database.connect, or name the path of an SQLite file.`,
      );
    },
  };
}
