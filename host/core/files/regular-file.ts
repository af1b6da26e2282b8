import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Opens a pipe without waiting for its other side, and a terminal without making it the controlling one. */
export const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

export const notRegular = (): Error => new Error('it is not a regular file');

/** The content of a file that somebody else may have put there. Throws for pipes and devices, from which reading may never end. */
export function readRegularFile(path: string): Buffer {
  const file = openSync(path, openFlags);
  try {
    if (!fstatSync(file).isFile()) throw notRegular();
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** The same. Undefined when it can't be read. */
export function tryReadRegularFile(path: string): Buffer | undefined {
  try {
    return readRegularFile(path);
  } catch {
    return undefined;
  }
}
