import { channelMigration } from './channels/tables.ts';
import { gramMigration, memoryMigration } from './memory/migration.ts';
import { watcherMigration } from './watchers/tables.ts';
import { scheduleMigration } from './schedule/tables.ts';

/** Of all packs together, in the order in which they were added: the plugin has one version in the database. */
export const migrations: readonly string[] = [
  scheduleMigration,
  channelMigration,
  memoryMigration,
  watcherMigration,
  gramMigration,
];
