import { channelMigration } from './channels/tables.ts';
import { gramMigration, memoryMigration, renameMigration } from './memory/migration.ts';
import * as watchers from './watchers/tables.ts';
import * as schedules from './schedule/tables.ts';

/** The migrations of all packs, in the order in which they were added, because the plugin has one version. */
export const migrations: readonly string[] = [
  schedules.scheduleMigration,
  channelMigration,
  memoryMigration,
  watchers.watcherMigration,
  gramMigration,
  schedules.untrustedMigration + watchers.untrustedMigration,
  renameMigration,
  schedules.pauseMigration,
  schedules.askMigration,
  schedules.queueMigration + watchers.queueMigration,
];
