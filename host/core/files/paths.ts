import { existsSync, realpathSync, statSync } from 'node:fs';
import ownPaths, { basename, dirname, join, resolve } from 'node:path';

/** The folder that contains Pegboard: a clone, or the built package. */
export const packageRoot: string = findUp(import.meta.dirname, 'package.json') ?? import.meta.dirname;

/** The nearest folder at or above `from` that contains `name`. */
function findUp(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** What `relative` may have to change before it compares: most paths have none of it, and comparing their text is faster. */
const unusual = /^[^/]|\/[./]|\/$/;

/**
 * Whether `path` is the folder or below it. Both are absolute and normalized; symlinks are not followed. Between two
 * drives of Windows there is no relative path.
 */
export function isWithin(
  folder: string,
  path: string,
  paths: Pick<typeof ownPaths, 'relative' | 'isAbsolute' | 'sep'> = ownPaths,
): boolean {
  if (paths.sep === '/' && !unusual.test(folder) && !unusual.test(path))
    return path === folder || path.startsWith(`${folder}/`);
  const way = paths.relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${paths.sep}`) && !paths.isAbsolute(way));
}

/** Whether a regular file exists there, also through links. Never throws; false for what can't be accessed. */
export const isFile = (path: string): boolean => kindOf(path)?.isFile() ?? false;

/** Whether a folder exists there, also through links. Never throws; false for what can't be accessed. */
export const isFolder = (path: string): boolean => kindOf(path)?.isDirectory() ?? false;

/** `throwIfNoEntry` is not enough: circular links and names that are too long throw anyway. */
function kindOf(path: string): { isFile(): boolean; isDirectory(): boolean } | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** An absolute path with no links resolved, with those of each folder above it, and with all of them. */
export function spellingsOf(path: string): readonly string[] {
  const above = dirname(path);
  const inner = above === path ? [] : spellingsOf(above).map((folder) => join(folder, basename(path)));
  return [...new Set([...inner, path, realPathOf(path)])];
}

/** Resolves symbolic links, also if the last parts of the path don't exist. */
export function realPathOf(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync.native(absolute);
  } catch {
    const above = dirname(absolute);
    return above === absolute ? absolute : join(realPathOf(above), basename(absolute));
  }
}
