import type { PluginContext, PluginDatabase, PluginMigration } from '../api/plugin.ts';
import { PegboardError } from '../core/errors.ts';

/**
 * `context.database` of one instance of a plugin. A plugin has one list of migrations: a second call with others throws
 * PEG_USAGE, one with the same or with none gets the same database.
 */
export function createOwnDatabase(
  plugin: string,
  databaseOf: (migrations: readonly PluginMigration[]) => PluginDatabase<unknown>,
): PluginContext['database'] {
  let own:
    | { readonly migrations: readonly PluginMigration[]; readonly database: PluginDatabase<unknown> }
    | undefined;
  let shared: PluginDatabase<unknown> | undefined;
  const find = (migrations: readonly PluginMigration[]): PluginDatabase<unknown> => {
    // The migrations may be declared between this call and the use of the database.
    if (migrations.length === 0) {
      const any = (): PluginDatabase<unknown> => own?.database ?? (shared ??= databaseOf([]));
      return { isThere: () => any().isThere(), open: () => any().open() };
    }
    if (!own) own = { migrations: [...migrations], database: databaseOf([...migrations]) };
    else if (!isSame(own.migrations, migrations)) throw otherMigrations(plugin);
    return own.database;
  };
  return <Tables>(migrations: readonly PluginMigration[]) => find(migrations) as PluginDatabase<Tables>;
}

const isSame = (one: readonly PluginMigration[], other: readonly PluginMigration[]): boolean =>
  one.length === other.length && one.every((script, index) => isSameMigration(script, other[index]!));

function isSameMigration(one: PluginMigration, other: PluginMigration): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return one.sqlite === other.sqlite && one.postgres === other.postgres;
}

const otherMigrations = (plugin: string): PegboardError =>
  new PegboardError(
    'PEG_USAGE',
    `The plugin ${plugin} calls database() again with other migrations, and a plugin has one list of them. Put all migrations into one list, and share what database() returned for it.`,
  );
