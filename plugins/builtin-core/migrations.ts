import { channelMigration } from './channels/tables.ts';
import { gramMigration, memoryMigration, renameMigration } from './memory/migration.ts';
import * as watchers from './watchers/tables.ts';
import * as schedules from './schedule/tables.ts';

/** Of all packs, in the order in which they were added: the plugin has one version in the database. */
export const migrations: readonly string[] = [
  schedules.scheduleMigration,
  channelMigration,
  memoryMigration,
  watchers.watcherMigration,
  gramMigration,
  schedules.untrustedMigration + watchers.untrustedMigration,
  renameMigration,
];
