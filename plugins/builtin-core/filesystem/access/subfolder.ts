import { closeSync, constants, lstatSync, openSync } from 'node:fs';
import { folderFlags, held } from './reach-linux.ts';

/**
 * The folder `name` of a folder held as `parent`, held likewise. Undefined when it is gone, may not be opened, or is a
 * symlink by now.
 */
export function openSubfolder(
  parent: string,
  name: string,
): (Disposable & { readonly self: string }) | undefined {
  const path = `${parent}/${name}`;
  try {
    if (process.platform !== 'linux') {
      return lstatSync(path).isDirectory() ? { self: path, [Symbol.dispose]: () => {} } : undefined;
    }
    const descriptor = openSync(path, folderFlags | constants.O_NOFOLLOW);
    return { self: held(descriptor), [Symbol.dispose]: () => closeSync(descriptor) };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw cause;
  }
}
