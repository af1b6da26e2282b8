import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { PluginMigration } from '../../api/plugin.ts';
import { PegboardError, messageOf } from '../../core/errors.ts';
import { isBusy } from './errors.ts';
import { copyBeforeMigration } from './migrate.ts';
import type { runPluginMigrations, TableOwner } from './plugin-migrations.ts';
import type { Tables } from './schema.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

/** How long to wait for another writer. */
const busyTimeoutMs = 10_000;

export const sqliteTextOf = (migration: PluginMigration): string =>
  typeof migration === 'string' ? migration : migration.sqlite;

/** Whether the tables of a plugin have the version that it expects, so that nothing has to be written. */
export async function isUpToDate(database: Kysely<Tables>, plugin: string, newest: number): Promise<boolean> {
  const { sql } = await import('kysely');
  const { rows } = await sql<{ version: number }>`
    select version from plugin_versions where plugin = ${plugin}`
    .execute(database)
    .catch(() => ({ rows: [] }));
  return rows[0]?.version === newest;
}

export const notWritable = (path: string, plugin: string): PegboardError =>
  new PegboardError(
    'PEG_DATABASE',
    `The database ${path} has to be migrated for the plugin ${plugin}, but it is not writable. Make it writable once.`,
  );

/**
 * Uses a separate connection, because scripts have several statements. The current writer may be this process, which
 * must not be blocked, as SQLite's own waiting would do.
 */
export async function bringUpToDate(
  path: string,
  owner: TableOwner,
  migrations: readonly string[],
): Promise<void> {
  const { runPluginMigrations: run } = await import('./plugin-migrations.ts');
  const database = new DatabaseSync(path, { timeout: 0 });
  let copy: string | undefined;
  try {
    for (const until = Date.now() + busyTimeoutMs; ; await delay(10)) {
      try {
        copy ??= copyOfOlder(database, path, owner.plugin, migrations.length);
        return migratePlugin(database, owner, migrations, run);
      } catch (cause) {
        if (!isBusy(cause) || Date.now() > until) throw cause;
      }
    }
  } catch (cause) {
    throw new PegboardError(
      'PEG_DATABASE',
      `The tables of the plugin ${owner.plugin} in ${path} can't be migrated: ${asSentence(messageOf(cause))} Nothing was changed${copy === undefined ? '' : `, and a copy is in ${copy}`}.`,
      { cause },
    );
  } finally {
    database.close();
  }
}

/** Copies a database in which the plugin has tables of an older version. */
function copyOfOlder(
  database: DatabaseSync,
  path: string,
  plugin: string,
  newest: number,
): string | undefined {
  const version = pluginVersion(database, plugin);
  return version > 0 && version < newest
    ? copyBeforeMigration(database, path, { id: plugin, version })
    : undefined;
}

/** 0: the plugin has no tables yet. */
function pluginVersion(database: DatabaseSync, plugin: string): number {
  const isThere = database.prepare("select 1 from sqlite_schema where name = 'plugin_versions'").get();
  const row = isThere && database.prepare('select version from plugin_versions where plugin = ?').get(plugin);
  return (row?.['version'] as number | undefined) ?? 0;
}

/** Nothing else in this process may write meanwhile: both would wait for each other. */
function migratePlugin(
  database: DatabaseSync,
  owner: TableOwner,
  migrations: readonly string[],
  run: typeof runPluginMigrations,
): void {
  const { plugin } = owner;
  database.exec('begin immediate');
  try {
    database.exec(
      'create table if not exists plugin_versions (plugin text primary key, version integer not null)',
    );
    const version = pluginVersion(database, plugin);
    if (version > migrations.length) throw new Error(`they were written by a newer version of the plugin`);
    if (version < migrations.length) run(database, owner, migrations, version);
    database
      .prepare(
        'insert into plugin_versions values (?, ?) on conflict (plugin) do update set version = excluded.version',
      )
      .run(plugin, migrations.length);
    database.exec('commit');
  } catch (cause) {
    if (database.isTransaction) database.exec('rollback');
    throw cause;
  }
}
