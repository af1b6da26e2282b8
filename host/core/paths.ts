import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

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
