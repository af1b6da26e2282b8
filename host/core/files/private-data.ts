import { chmodSync, closeSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { hasModes } from '../platform/file-access.ts';
import { makeFolder } from './make-folder.ts';

/** In a home: the contents that undo keeps. They are many. */
export const undoContents = 'data/undo/content';

/** Creates a folder and its missing parents for this user only, whatever the umask. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, 0o700);
}

/** Creates an empty file for this user only, for programs that would create a readable one. Throws if it exists. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
}

/**
 * Paths that other users can access by their mode: the home's data and everything in it, and the folder of the user's
 * own state, which protects its contents.
 */
export function loosePaths(home: string, userState: string): readonly string[] {
  if (!hasModes()) return [];
  const state = lstatSync(userState, { throwIfNoEntry: false });
  const data = join(home, 'data');
  // The files in it are many, and protected by the folder.
  const all = [
    ...pathsIn(data, join(home, undoContents)),
    ...(state ? [[userState, state.mode] as const] : []),
  ];
  return all.flatMap(([path, mode]) => ((mode & 0o077) === 0 ? [] : [path]));
}

/** Removes access for other users. Returns the paths that were accessible. Files of other owners are unchanged. */
export function makeDataPrivate(home: string, userState: string): readonly string[] {
  return loosePaths(home, userState).filter((path) => {
    try {
      chmodSync(path, lstatSync(path).mode & 0o700);
      return true;
    } catch {
      return false; // Owned by somebody else, read-only, or deleted in the meantime. `pegboard doctor` reports what others can read.
    }
  });
}

/** Links lead elsewhere and have no mode of their own. */
function* pathsIn(path: string, sealed: string): Iterable<readonly [path: string, mode: number]> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return;
  yield [path, found.mode];
  if (!found.isDirectory() || path === sealed) return;
  for (const name of namesIn(path)) yield* pathsIn(join(path, name), sealed);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Deleted in the meantime, or unreadable.
  }
}
