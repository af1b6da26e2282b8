import { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import { PegboardError, messageOf } from '../core/errors.ts';
import type { Database } from './database.ts';

/** Tables that a plugin brings, in the home's one database. */
export interface PluginTables<Tables> {
  /** Brought up to date at first use. Throws PEG_DATABASE. */
  open(): Promise<Kysely<Tables>>;
}

/** `migrations` are SQL scripts, run once each, in order; all that are new in one transaction. */
export function createPluginTables<Tables>(
  database: Database,
  plugin: string,
  migrations: readonly string[],
): PluginTables<Tables> {
  let opening: Promise<Kysely<Tables>> | undefined;
  const open = async (): Promise<Kysely<Tables>> => {
    const shared = await database.open();
    bringUpToDate(database.path, plugin, migrations);
    return shared as unknown as Kysely<Tables>;
  };
  return {
    open() {
      opening ??= open().catch((cause: unknown) => {
        opening = undefined;
        throw cause;
      });
      return opening;
    },
  };
}

/** On a connection of its own, because scripts have several statements. */
function bringUpToDate(path: string, plugin: string, migrations: readonly string[]): void {
  const database = new DatabaseSync(path, { timeout: 5_000 });
  try {
    database.exec('begin immediate');
    database.exec(
      'create table if not exists plugin_versions (plugin text primary key, version integer not null)',
    );
    const row = database.prepare('select version from plugin_versions where plugin = ?').get(plugin);
    const version = (row?.['version'] as number | undefined) ?? 0;
    if (version > migrations.length) throw new Error(`they were written by a newer version of the plugin`);
    for (const script of migrations.slice(version)) database.exec(script);
    database
      .prepare(
        'insert into plugin_versions values (?, ?) on conflict (plugin) do update set version = excluded.version',
      )
      .run(plugin, migrations.length);
    database.exec('commit');
  } catch (cause) {
    if (database.isTransaction) database.exec('rollback');
    throw new PegboardError(
      'PEG_DATABASE',
      `The tables of the plugin ${plugin} in ${path} can't be brought up to date: ${messageOf(cause)}. Nothing was changed.`,
      { cause },
    );
  } finally {
    database.close();
  }
}
