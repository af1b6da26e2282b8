import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { asSentence, PegboardError, type KnownFolders } from 'pegboard';
import { deniedPaths, realPathOf } from 'pegboard/files';

/** A path that may be opened as a database, and whether the file exists. */
export interface SqliteFile {
  /** Absolute and real. */
  readonly path: string;
  /** The name for people. */
  readonly name: string;
  readonly exists: boolean;
}

const magic = 'SQLite format 3\0';

/**
 * A database is a file with a visible name in the home or in a listed folder, and not one of Pegboard's own. Throws
 * PEG_DENIED for other paths, and PEG_TOOL_FAILED for files that are not databases.
 */
export function sqliteFile(written: string, folders: KnownFolders): SqliteFile {
  if (written.includes('\0') || written.length > 4_096)
    throw new PegboardError('PEG_INVALID_ARGUMENTS', 'The path of the database is invalid.');
  const path = realPathOf(resolve(folders.home, written));
  const home = realPathOf(folders.home);
  const root = [home, ...folders.roots.map((listed) => listed.path)].find((folder) => isIn(folder, path));
  const refuse = (why: string): never => {
    throw new PegboardError('PEG_DENIED', `${path} is not opened as a database: ${asSentence(why)}`);
  };
  if (root === undefined)
    return refuse('it is outside the home and the folders in plugins.builtin-core.config.roots');
  if (deniedPaths(folders).some((place) => isIn(realPathOf(place), path) || path === place))
    return refuse('it belongs to Pegboard itself');
  if (
    relative(root, path)
      .split(sep)
      .some((part) => part.startsWith('.'))
  )
    return refuse('names that begin with a dot are settings');
  const name = relative(home, path).startsWith('..') ? path : relative(home, path);
  return { path, name, exists: isDatabase(path, refuse) };
}

/** False when there is no file. A file with several names may be one of Pegboard's own, and is refused. */
function isDatabase(path: string, refuse: (why: string) => never): boolean {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
    return refuse((cause as Error).message);
  }
  try {
    const { nlink, size } = fstatSync(file);
    if (!fstatSync(file).isFile()) return refuse('it is not a file');
    if (nlink > 1) return refuse('it has another name as well (a hard link)');
    if (size === 0) return true;
    const head = Buffer.alloc(magic.length);
    readSync(file, head, 0, magic.length, 0);
    return head.toString('latin1') === magic || refuse('it is not an SQLite database');
  } finally {
    closeSync(file);
  }
}

const isIn = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`);
};
