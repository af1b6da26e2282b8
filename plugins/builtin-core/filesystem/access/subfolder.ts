import { closeSync, constants, lstatSync, openSync } from 'node:fs';
import { opensByDescriptor } from 'pegboard/files';
import { folderFlags, descriptorPath } from './walk-by-descriptor.ts';

/**
 * Opens the folder `name` of the open folder `parent`. Undefined when it no longer exists, can't be opened or is now a
 * symlink.
 */
export function openSubfolder(
  parent: string,
  name: string,
): (Disposable & { readonly self: string }) | undefined {
  const path = `${parent}/${name}`;
  try {
    if (!opensByDescriptor()) {
      return lstatSync(path).isDirectory() ? { self: path, [Symbol.dispose]: () => {} } : undefined;
    }
    const descriptor = openSync(path, folderFlags | constants.O_NOFOLLOW);
    return { self: descriptorPath(descriptor), [Symbol.dispose]: () => closeSync(descriptor) };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw cause;
  }
}
