import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { PegboardError } from '../core/errors.ts';
import { explainDatabaseError } from './database-error.ts';
import { migrations as allMigrations } from './migrations/all.ts';
import type { Tables } from './schema.ts';

/** One SQLite file, opened when it is first needed: until then it costs nothing. */
export interface Database extends AsyncDisposable {
  /** Absolute. */
  readonly path: string;
  /** For writing: the file is made when it isn't there. Throws PEG_DATABASE; the next call tries again. */
  open(): Promise<Kysely<Tables>>;
  /** For reading: undefined where there is no file, and none is made; a home that can't be written is read as it is. */
  existing(): Promise<Kysely<Tables> | undefined>;
}

export const databaseFileOf = (home: string): string => join(home, 'data/pegboard.db');

/** Disposing closes the file; whoever comes later gets PEG_DATABASE. */
export function createDatabase(path: string, migrations: readonly string[] = allMigrations): Database {
  let opening: Promise<Kysely<Tables>> | undefined;
  let closed = false;

  const openOnce = (how: 'openForWriting' | 'openForReading'): Promise<Kysely<Tables>> => {
    if (closed)
      throw new PegboardError('PEG_DATABASE', `The database ${path} was closed: the host has ended.`);
    opening ??= openKysely(path, migrations, how).catch((cause: unknown) => {
      opening = undefined;
      throw cause;
    });
    return opening;
  };

  return {
    path,
    open: async () => await openOnce('openForWriting'),
    async existing() {
      if (!opening && !existsSync(path)) return undefined;
      const { isWritable } = await import('./open-file.ts');
      return await openOnce(isWritable(path) ? 'openForWriting' : 'openForReading');
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      const database = await opening?.catch(() => undefined);
      await database?.destroy();
    },
  };
}

async function openKysely(
  path: string,
  migrations: readonly string[],
  how: 'openForWriting' | 'openForReading',
): Promise<Kysely<Tables>> {
  const [{ Kysely, SqliteDialect }, files, { toKyselyDatabase }] = await Promise.all([
    import('kysely'),
    import('./open-file.ts'),
    import('./sqlite.ts'),
  ]);
  const raw = await files[how](path, migrations);
  const database = toKyselyDatabase(raw, (cause) => explainDatabaseError(path, cause));
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
}
