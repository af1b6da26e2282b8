import type { PluginMigration } from 'pegboard';
import { channelMigration, imagesMigration } from './channels/tables.ts';
import {
  gramMigration,
  memoryMigration,
  renameMigration,
  vectorNumbersMigration,
} from './memory/migration.ts';
import { postgresTables } from './postgres-tables.ts';
import * as watchers from './watchers/tables.ts';
import * as schedules from './schedule/tables.ts';

/** Of SQLite only. On Postgres, the last of them makes all tables at once. */
const early: readonly string[] = [
  schedules.scheduleMigration,
  channelMigration,
  memoryMigration,
  watchers.watcherMigration,
  gramMigration,
  schedules.untrustedMigration + watchers.untrustedMigration,
  renameMigration,
  schedules.pauseMigration,
  schedules.askMigration,
];

/** Plain enough for either. */
const both = (text: string): PluginMigration => ({ sqlite: text, postgres: text });

/** The migrations of all packs, in the order in which they were added, because the plugin has one version. */
export const migrations: readonly PluginMigration[] = [
  ...early.map((sqlite, index) => ({
    sqlite,
    postgres: index === early.length - 1 ? postgresTables : '',
  })),
  both(schedules.queueMigration + watchers.queueMigration),
  { sqlite: '', postgres: vectorNumbersMigration },
  both(imagesMigration),
  both(schedules.limitsMigration),
];
