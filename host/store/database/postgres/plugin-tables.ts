import type { ClientBase, Pool } from 'pg';
import type { PluginMigration } from '../../../api/plugin.ts';
import { PegboardError, messageOf } from '../../../core/errors.ts';
import type { TableOwner } from '../plugin-migrations.ts';
import { explainPostgresError } from './errors.ts';
import { hasTable, inTransaction } from './migrate.ts';
import { runPluginScripts } from './plugin-scripts.ts';
import { asSentence } from '../../../core/text/as-sentence.ts';

/** Brings a plugin's tables up to date, all or nothing. Throws PEG_DATABASE. */
export async function migratePlugin(
  pool: Pool,
  name: string,
  owner: TableOwner,
  migrations: readonly PluginMigration[],
): Promise<void> {
  const { plugin } = owner;
  // Those without a text were refused when the plugin was set up.
  const scripts = migrations.map((migration) => (typeof migration === 'string' ? '' : migration.postgres));
  try {
    const client = await pool.connect();
    let hasRun = false;
    try {
      if ((await versionOf(client, plugin)) === scripts.length) return;
      hasRun = true;
      await inTransaction(client, () => bringUpToDate(client, owner, scripts));
    } finally {
      // What a script may have set ends with the connection.
      client.release(hasRun);
    }
  } catch (cause) {
    const explained = explainPostgresError(name, cause);
    if (explained instanceof PegboardError) throw explained;
    throw new PegboardError(
      'PEG_DATABASE',
      `The tables of the plugin ${plugin} in ${name} can't be migrated: ${asSentence(messageOf(cause))} Nothing was changed.`,
      { cause },
    );
  }
}

async function bringUpToDate(
  client: ClientBase,
  owner: TableOwner,
  scripts: readonly string[],
): Promise<void> {
  const { plugin } = owner;
  await client.query(
    `create table if not exists pegboard.plugin_versions (plugin text primary key, version bigint not null);
    create table if not exists pegboard.plugin_objects (object text primary key, plugin text not null)`,
  );
  // Another host may have been faster.
  const version = await versionOf(client, plugin);
  if (version > scripts.length) throw new Error('they were written by a newer version of the plugin');
  if (version < scripts.length) await runPluginScripts(client, owner, scripts, version);
  await client.query(
    `insert into pegboard.plugin_versions values ($1, $2)
    on conflict (plugin) do update set version = excluded.version`,
    [plugin, scripts.length],
  );
}

/** 0: the plugin has no tables yet. */
async function versionOf(client: ClientBase, plugin: string): Promise<number> {
  if (!(await hasTable(client, 'plugin_versions'))) return 0;
  const { rows } = await client.query<{ version: number }>(
    'select version from pegboard.plugin_versions where plugin = $1',
    [plugin],
  );
  return rows[0]?.version ?? 0;
}
