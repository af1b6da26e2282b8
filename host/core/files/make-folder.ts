import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { PegboardError } from '../errors.ts';

/**
 * Makes a folder and those above it that are missing, one after the other: where no folder can be made, as in /proc,
 * Node's own way never ends. Throws PEG_FILES there, and errors of the file system.
 */
export function makeFolder(path: string, mode?: number): void {
  const missing: string[] = [];
  for (let at = path; !isThere(at); at = dirname(at)) missing.unshift(at);
  for (const folder of missing)
    try {
      mkdirSync(folder, { mode });
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      if (code !== 'ENOENT') throw cause;
      throw new PegboardError(
        'PEG_FILES',
        `No folder can be made in ${dirname(folder)}: choose another place than ${path}.`,
        { cause },
      );
    }
}

/** Whatever it is. A link that leads nowhere is not. */
function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw cause;
  }
}
