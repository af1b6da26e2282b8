import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { PegboardError, type KnownFolders } from 'pegboard';
import { deniedPlaces, realPathOf } from 'pegboard/files';

/** A path that may be opened as a database, and whether one is there. */
export interface SqliteFile {
  /** Absolute and real. */
  readonly path: string;
  /** As a person would call it. */
  readonly name: string;
  readonly exists: boolean;
}

const magic = 'SQLite format 3\0';

/**
 * Databases are files of the home, or of a folder that is listed beside it, with visible names, and none of Pegboard's own.
 * Throws PEG_DENIED for any other, and PEG_TOOL_FAILED for what is no database.
 */
export function sqliteFile(written: string, places: KnownFolders): SqliteFile {
  if (written.includes('\0') || written.length > 4_096)
    throw new PegboardError('PEG_INVALID_ARGUMENTS', 'The path of the database is no path.');
  const path = realPathOf(resolve(places.home, written));
  const home = realPathOf(places.home);
  const root = [home, ...places.roots.map((listed) => listed.path)].find((folder) => isIn(folder, path));
  const refuse = (why: string): never => {
    throw new PegboardError('PEG_DENIED', `${path} is not opened as a database: ${why}.`);
  };
  if (root === undefined)
    return refuse('it lies outside of the home and of the folders in plugins.builtin-core.config.roots');
  if (deniedPlaces(places).some((place) => isIn(realPathOf(place), path) || path === place))
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

/** False where nothing is. A name for a file that has other names too may be one of Pegboard's own. */
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
    if (!fstatSync(file).isFile()) return refuse('it is no file');
    if (nlink > 1) return refuse('it has another name too');
    if (size === 0) return true;
    const head = Buffer.alloc(magic.length);
    readSync(file, head, 0, magic.length, 0);
    return head.toString('latin1') === magic || refuse('it is no SQLite database');
  } finally {
    closeSync(file);
  }
}

const isIn = (folder: string, path: string): boolean => {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`);
};
