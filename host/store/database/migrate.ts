import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { draftName } from '../../core/files/draft.ts';
import { makePrivateFile, makePrivateFolder } from '../../core/files/private-data.ts';
import { PegboardError, messageOf } from '../../core/errors.ts';
import { missingFrom, newestOf, versionProblem, type Migrations } from './tables/migrations.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

/** "PEGB": distinguishes our files from other SQLite databases. */
const applicationId = 0x50454742;

/** Throws PEG_DATABASE for a file that isn't ours or is of another Pegboard's version. Changes nothing. */
export function checkIdentity(database: DatabaseSync, path: string, known: Migrations): void {
  // In this order: another process may be creating the database, and its tables must not be visible before the
  // application id.
  if (!isEmpty(database) && !isPegboardDatabase(database)) {
    throw new PegboardError(
      'PEG_DATABASE',
      `${path} is a database, but not one of Pegboard's. Move it elsewhere.`,
    );
  }
  const problem = versionProblem(path, versionOf(database), known);
  if (problem !== undefined) throw new PegboardError('PEG_DATABASE', problem);
}

/**
 * Brings the tables up to date, all or nothing. A database with data is first copied to backups/, once for each
 * version. Several processes may do this at once.
 */
export function migrate(database: DatabaseSync, path: string, migrations: Migrations): void {
  const version = versionOf(database);
  const newest = newestOf(migrations);
  if (version === newest) return;
  const backup = version > 0 ? copyBeforeMigration(database, path) : undefined;
  try {
    database.exec('begin immediate');
    // Another process may have been faster.
    for (const script of missingFrom(versionOf(database), migrations)) database.exec(script);
    database.exec(`pragma application_id = ${applicationId}; pragma user_version = ${newest}; commit`);
  } catch (cause) {
    if (database.isTransaction) database.exec('rollback');
    const kept = backup === undefined ? '' : `, and a copy is in ${backup}`;
    throw new PegboardError(
      'PEG_DATABASE',
      `The database ${path} could not be migrated from version ${version} to ${newest}: ${asSentence(messageOf(cause))} Nothing was changed${kept}.`,
      { cause },
    );
  }
}

export const isPegboardDatabase = (database: DatabaseSync): boolean =>
  pragma(database, 'application_id') === applicationId;

/** 0: it has no tables. */
export const versionOf = (database: DatabaseSync): number => pragma(database, 'user_version');

function pragma(database: DatabaseSync, name: string): number {
  return database.prepare(`pragma ${name}`).get()![name] as number;
}

function isEmpty(database: DatabaseSync): boolean {
  return database.prepare('select count(*) as count from sqlite_schema').get()!['count'] === 0;
}

/**
 * Makes a consistent copy in backups/, also of a database in use, and returns its path. `plugin`: before the tables of
 * that plugin are migrated from the version.
 */
export function copyBeforeMigration(
  database: DatabaseSync,
  path: string,
  plugin?: { readonly id: string; readonly version: number },
): string {
  const folder = join(dirname(path), 'backups');
  const own = plugin ? `-${plugin.id}-${plugin.version}` : '';
  const copy = join(folder, `pegboard-version-${versionOf(database)}${own}.db`);
  const unfinished = join(folder, draftName());
  makePrivateFolder(folder);
  // SQLite would make it readable for others.
  makePrivateFile(unfinished);
  database.prepare('vacuum into ?').run(unfinished);
  renameSync(unfinished, copy);
  return copy;
}
