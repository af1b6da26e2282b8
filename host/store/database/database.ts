import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { PegboardError } from '../../core/errors.ts';
import { explainDatabaseError } from './errors.ts';
import type { PluginMigration } from '../../api/plugin.ts';
import type { Migrations } from './tables/migrations.ts';
import type { TableOwner } from './plugin-migrations.ts';
import type { Tables } from './schema.ts';

/** Where everything that grows is stored: a file of SQLite, or a database on a server. Opened at first use. */
export interface Database extends AsyncDisposable {
  /** For messages: the absolute path of the file, or the address without its password. */
  readonly name: string;
  /** Opens for writing, and creates a missing file. Throws PEG_DATABASE; the next call tries again. */
  open(): Promise<Kysely<Tables>>;
  /**
   * Opens for reading. Undefined when there is no file; none is created. In a read-only home, it is opened read-only.
   */
  existing(): Promise<Kysely<Tables> | undefined>;
  /** Whether something may be stored. Opens nothing. */
  isThere(): boolean;
  /** Throws PEG_DATABASE when a migration of the plugin is not written for this kind of database. Opens nothing. */
  checkMigrations(plugin: string, migrations: readonly PluginMigration[]): void;
  /** Opens it with the tables of a plugin up to date. Throws PEG_DATABASE. */
  openFor(owner: TableOwner, migrations: readonly PluginMigration[]): Promise<Kysely<Tables>>;
  /** Removes what deleted rows leave on the disk. */
  purge(): Promise<void>;
}

/** One SQLite file. */
export interface FileDatabase extends Database {
  /** Absolute. */
  readonly path: string;
}

export interface DatabaseOptions {
  readonly migrations?: Migrations;
  /** Removes secrets from every text that is written. Default: texts are written unchanged. */
  readonly redact?: (text: string) => string;
  /** Called with a message for the owner when the file was damaged and a backup has replaced it. */
  readonly restored?: (message: string) => void;
}

interface Opened {
  readonly kysely: Kysely<Tables>;
  readonly file: DatabaseSync;
}

/** Disposing closes the file; later calls throw PEG_DATABASE. */
export function createDatabase(path: string, options: DatabaseOptions = {}): FileDatabase {
  const { migrations, redact = (text) => text, restored = () => {} } = options;
  let opening: Promise<Opened> | undefined;
  let closed = false;

  const openOnce = async (how: 'writing' | 'reading'): Promise<Kysely<Tables>> => {
    if (closed)
      throw new PegboardError('PEG_DATABASE', `The database ${path} was closed: the host has ended.`);
    opening ??= openKysely(path, how, { ...(migrations && { migrations }), redact, restored }).catch(
      (cause: unknown) => {
        opening = undefined;
        throw cause;
      },
    );
    return (await opening).kysely;
  };

  const existing = async (): Promise<Kysely<Tables> | undefined> => {
    if (!opening && !existsSync(path)) return undefined;
    const { isWritable } = await import('./open-file.ts');
    return await openOnce(isWritable(path) ? 'writing' : 'reading');
  };
  return {
    name: path,
    path,
    open: async () => await openOnce('writing'),
    existing,
    isThere: () => existsSync(path),
    checkMigrations: () => {},
    async openFor(owner, scripts) {
      const [{ isWritable }, { isUpToDate, notWritable, bringUpToDate, sqliteTextOf }] = await Promise.all([
        import('./open-file.ts'),
        import('./file-plugin-tables.ts'),
      ]);
      const isReadOnly = existsSync(path) && !isWritable(path);
      const shared = isReadOnly ? (await existing())! : await openOnce('writing');
      if (scripts.length === 0 || (await isUpToDate(shared, owner.plugin, scripts.length))) return shared;
      if (isReadOnly) throw notWritable(path, owner.plugin);
      await bringUpToDate(path, owner, scripts.map(sqliteTextOf));
      return shared;
    },
    async purge() {
      const { runSql } = await import('./run-sql.ts');
      // Deleted data stays in free pages.
      await runSql(path, ['vacuum', 'pragma wal_checkpoint(truncate)']);
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      const opened = await opening?.catch(() => undefined);
      await opened?.kysely.destroy();
      // Kysely leaves one open that it was never asked about.
      if (opened?.file.isOpen) opened.file.close();
    },
  };
}

/**
 * Reads find nothing, and writes fail with `refusal`. SQLite would create files next to the database even for reading.
 */
export const closedDatabase = (name: string, refusal: () => PegboardError): Database => ({
  name,
  open: () => Promise.reject(refusal()),
  existing: () => Promise.resolve(undefined),
  isThere: () => false,
  checkMigrations: () => {},
  openFor: () => Promise.reject(refusal()),
  purge: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

async function openKysely(
  path: string,
  how: 'writing' | 'reading',
  options: DatabaseOptions & Required<Pick<DatabaseOptions, 'redact' | 'restored'>>,
): Promise<Opened> {
  const { redact, restored } = options;
  const [
    { Kysely },
    { PegboardSqliteDialect },
    files,
    { toKyselyDatabase },
    { isDamage, markDamaged: suspect },
    all,
  ] = await Promise.all([
    import('kysely'),
    import('./sqlite-dialect.ts'),
    import('./open-file.ts'),
    import('./sqlite.ts'),
    import('./damage.ts'),
    import('./tables/migrations.ts'),
  ]);
  const migrations = options.migrations ?? all.sqliteMigrations;
  const file = await (how === 'writing'
    ? files.openForWriting(path, migrations, restored)
    : files.openForReading(path, migrations));
  const explain = (cause: unknown): unknown => {
    if (how === 'writing' && isDamage(cause)) suspect(path);
    return explainDatabaseError(path, cause);
  };
  const database = toKyselyDatabase(file, { explain, redact });
  return { kysely: new Kysely<Tables>({ dialect: new PegboardSqliteDialect({ database }) }), file };
}
