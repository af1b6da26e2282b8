import type { Kysely, Transaction } from 'kysely';
import type { PluginMigration } from '../../api/plugin.ts';
import type { Database } from './database.ts';
import { dialectOf } from './dialect.ts';
import type { TableOwner } from './plugin-migrations.ts';
import type { Tables } from './schema.ts';

/** Tables of a plugin in the home's database. */
export interface PluginTables<Own> {
  /** Whether something may be stored. Opens nothing. */
  isThere(): boolean;
  /** Migrated at first use. Throws PEG_DATABASE. */
  open(): Promise<Kysely<Own>>;
}

/**
 * `migrations` are SQL scripts. Each runs once, in order; all new ones in one transaction. They may only change the
 * plugin's own tables. Throws PEG_DATABASE when one is not written for the home's kind of database.
 */
export function createPluginTables<Own>(
  database: Database,
  owner: TableOwner,
  migrations: readonly PluginMigration[],
): PluginTables<Own> {
  database.checkMigrations(owner.plugin, migrations);
  let opening: Promise<Kysely<Own>> | undefined;
  const open = async (): Promise<Kysely<Own>> =>
    (await database.openFor(owner, migrations)) as unknown as Kysely<Own>;
  return {
    isThere: () => database.isThere(),
    open() {
      opening ??= open().catch((cause: unknown) => {
        opening = undefined;
        throw cause;
      });
      return opening;
    },
  };
}

/** What the migrations of a plugin have made, as `plugin_objects` records it. */
interface PluginObject {
  /** "table", "view" … */
  readonly kind: string;
  readonly name: string;
}

/** The names of a plugin's tables, sorted. Opens no database that isn't there. Throws PEG_DATABASE. */
export async function pluginTables(database: Database, plugin: string): Promise<readonly string[]> {
  const existing = await database.existing();
  if (!existing) return [];
  const objects = await objectsOf(existing, plugin);
  return objects.flatMap(({ kind, name }) => (kind === 'table' ? name : [])).sort();
}

/** Deletes the tables of a plugin with all rows, as if it had never had any. Throws PEG_DATABASE. */
export async function dropPluginTables(database: Database, plugin: string): Promise<void> {
  if (!(await database.existing())) return;
  const { sql } = await import('kysely');
  const open = await database.open();
  await open.transaction().execute(async (transaction) => {
    for (const { kind, name } of await objectsOf(transaction, plugin)) {
      // What has arguments in its name is no identifier. The name is the database's own.
      const object = kind === 'function' ? sql.raw(name) : sql.ref(name);
      const along = dialectOf(transaction).kind === 'postgres' ? sql` cascade` : sql``;
      await sql`drop ${sql.raw(kind)} if exists ${object}${along}`.execute(transaction);
    }
    await sql`delete from plugin_objects where plugin = ${plugin}`.execute(transaction);
    await sql`delete from plugin_versions where plugin = ${plugin}`.execute(transaction);
  });
  await database.purge();
}

/** Indexes, triggers and what a full-text index consists of go with their tables. */
const withTheirTables = new Set(['index', 'trigger', 'sequence']);

async function objectsOf(
  database: Kysely<Tables> | Transaction<Tables>,
  plugin: string,
): Promise<readonly PluginObject[]> {
  const { sql } = await import('kysely');
  const isSqlite = dialectOf(database).kind === 'sqlite';
  const recorded = isSqlite
    ? sql<{ there: number }>`select 1 as there from sqlite_schema where name = 'plugin_objects'`
    : sql<{ there: number }>`select 1 as there where to_regclass('pegboard.plugin_objects') is not null`;
  if ((await recorded.execute(database)).rows.length === 0) return [];
  const { rows } = await sql<{ object: string }>`
    select object from plugin_objects where plugin = ${plugin}`.execute(database);
  const parts = isSqlite
    ? (
        await sql<{ name: string }>`select name from pragma_table_list where type = 'shadow'`.execute(
          database,
        )
      ).rows
    : [];
  const shadows = new Set(parts.map(({ name }) => name));
  return rows
    .map(({ object }) => ({
      kind: object.slice(0, object.indexOf(' ')),
      name: object.slice(object.indexOf(' ') + 1),
    }))
    .filter(({ kind, name }) => !withTheirTables.has(kind) && !shadows.has(name));
}
