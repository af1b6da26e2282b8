import { lstatSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWithin } from '../../core/files/paths.ts';
import { readRegularFile } from '../../core/files/regular-file.ts';

/**
 * Is this folder the root of a clone: a repository with a place that it comes from, a worktree or a submodule? What
 * the owner began has no such place.
 */
export function isClone(folder: string): boolean {
  const path = join(folder, '.git');
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return false;
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return true;
  try {
    return /^\s*\[remote /m.test(readRegularFile(join(path, 'config')).toString('utf8'));
  } catch (cause) {
    // A folder that is only called so is no repository; one that can't be read may be.
    return (cause as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/**
 * The clone that holds a folder to which a link leads, unless it holds the link as well: then both are its owner's. Real
 * paths.
 */
export function cloneAround(target: string, link: string): string | undefined {
  for (let folder = target; ; folder = dirname(folder)) {
    if (isWithin(folder, link)) return undefined;
    if (isClone(folder)) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
