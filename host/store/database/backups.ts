import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { contentsFile } from './backup.ts';
import { damageOf } from './damage.ts';
import { isPegboardDatabase, versionOf } from './migrate.ts';
import { parseJson } from '../../core/documents/written-numbers.ts';

export interface DatabaseBackup {
  readonly path: string;
  /** When the copy was made, ISO 8601. */
  readonly at: string;
}

export const backupsOf = (path: string): string => join(dirname(path), 'backups');

/** Backups that long-running hosts make automatically. */
export const dailyCopies = 'daily-*.db';

/** The newest undamaged copy in the home's own backups that is not from a newer Pegboard. */
export function newestBackup(path: string, newest: number): DatabaseBackup | undefined {
  const folder = backupsOf(path);
  const found = [
    ...globSync(`*/${contentsFile}`, { cwd: folder }).map((file) =>
      join(folder, dirname(file), 'data/pegboard.db'),
    ),
    ...globSync(['pegboard-version-*.db', dailyCopies], { cwd: folder }).map((file) => join(folder, file)),
  ];
  return found
    .flatMap((file) => momentOf(file) ?? [])
    .sort((a, b) => (a.at < b.at ? 1 : -1))
    .find((backup) => isSound(backup.path, newest));
}

function momentOf(path: string): DatabaseBackup | undefined {
  try {
    const contents = path.endsWith('data/pegboard.db') ? join(path, '../..', contentsFile) : undefined;
    const at =
      contents === undefined
        ? statSync(path).mtime.toISOString()
        : (parseJson(readFileSync(contents, 'utf8')) as { readonly at: string }).at;
    return { path, at };
  } catch {
    return undefined;
  }
}

function isSound(path: string, newest: number): boolean {
  try {
    if (damageOf(path) !== undefined) return false;
    using database = new DatabaseSync(path, { readOnly: true });
    return isPegboardDatabase(database) && versionOf(database) <= newest;
  } catch {
    return false;
  }
}
