import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

/** The folder that Pegboard is installed in: a clone, or the built package. */
export const packageRoot: string = findUp(import.meta.dirname, 'package.json') ?? import.meta.dirname;

/** The nearest folder from `from` upward that holds `name`. */
export function findUp(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Is `path` the folder itself or beneath it? Both absolute and normalised; symlinks are not followed. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !way.startsWith(sep));
}

/** Is a regular file there, also through links? Never throws: what can't be looked at is none. */
export const isFile = (path: string): boolean => kindOf(path)?.isFile() ?? false;

/** Is a folder there, also through links? Never throws: what can't be looked at is none. */
export const isFolder = (path: string): boolean => kindOf(path)?.isDirectory() ?? false;

/** `throwIfNoEntry` is not enough: links that lead in circles and names that are too long throw all the same. */
function kindOf(path: string): { isFile(): boolean; isDirectory(): boolean } | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** With symbolic links resolved, also of a path of which the end does not exist. */
export function realPathOf(path: string): string {
  const absolute = resolve(path);
  try {
    return realpathSync.native(absolute);
  } catch {
    const above = dirname(absolute);
    return above === absolute ? absolute : join(realPathOf(above), basename(absolute));
  }
}
