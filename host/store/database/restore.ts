import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { chmod, copyFile, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pegboard } from '../../core/own-command.ts';
import { makePrivateFolder } from '../../core/files/private-data.ts';
import { PegboardError } from '../../core/errors.ts';
import { damageOf, damageMarkerOf } from './damage.ts';
import { backupsOf, newestBackup } from './backups.ts';
import { withFileLock } from '../files/file-lock.ts';
import { otherHolder } from '../files/home-lock.ts';
import { newestOf, sqliteMigrations } from './tables/migrations.ts';

/**
 * Checks the whole database. If it is damaged, replaces it with the newest backup and keeps the damaged file. Returns a
 * message for the owner, or undefined if nothing was wrong. Throws PEG_DATABASE, with nothing changed, when there is no
 * backup or another process uses the home.
 */
export async function restoreIfDamaged(
  path: string,
  newest = newestOf(sqliteMigrations),
): Promise<string | undefined> {
  if (damageOf(path) === undefined) {
    rmSync(damageMarkerOf(path), { force: true });
    return undefined;
  }
  return await withFileLock(path, async () => {
    // Another process may have been faster.
    const damage = damageOf(path);
    if (damage === undefined) return undefined;
    const message = await restore(path, damage, newest);
    rmSync(damageMarkerOf(path), { force: true });
    return message;
  });
}

async function restore(path: string, damage: string, newest: number): Promise<string> {
  const holder = otherHolder(join(dirname(path), 'host.lock'));
  if (holder !== undefined) {
    throw new PegboardError(
      'PEG_DATABASE',
      `The database ${path} is damaged (${damage}), and ${holder} still uses it. Stop that process; the next start restores the newest backup.`,
    );
  }
  const backup = newestBackup(path, newest);
  if (!backup) throw noBackup(path, damage);
  const copy = `${path}.restored`;
  await copyFile(backup.path, copy);
  await chmod(copy, 0o600);
  const file = await open(copy, 'r+');
  await file.sync();
  await file.close();
  const aside = putAside(path);
  for (const part of ['-wal', '-shm']) rmSync(`${path}${part}`, { force: true });
  renameSync(copy, path);
  const since = `${backup.at.slice(0, 16).replace('T', ' ')} UTC`;
  return `The database ${path} was damaged (${damage}). The backup of ${since} has replaced it; everything stored since then is missing. The damaged file is kept in ${aside}.`;
}

/** Copied, not moved: a crash in between leaves a damaged database instead of an empty one. */
function putAside(path: string): string {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  const aside = join(backupsOf(path), `damaged-${stamp}`);
  makePrivateFolder(aside);
  for (const part of ['', '-wal', '-shm']) {
    if (existsSync(path + part)) copyFileSync(path + part, join(aside, basename(path) + part));
  }
  return aside;
}

const noBackup = (path: string, damage: string): PegboardError =>
  new PegboardError(
    'PEG_DATABASE',
    `The database ${path} is damaged (${damage}), and ${backupsOf(path)} has no backup of it. Nothing was changed. ` +
      `Stop every Pegboard of this home; restore a backup from elsewhere with \`${pegboard} restore FOLDER\`, or rescue readable data with \`sqlite3 pegboard.db .recover\`, or move the file away, with its -wal and -shm files, to start with an empty one.`,
  );
