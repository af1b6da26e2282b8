import type { Kysely } from 'kysely';
import type { PluginMigration } from '../../api/plugin.ts';
import type { Database } from './database.ts';
import type { TableOwner } from './plugin-migrations.ts';

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
