import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { userStateFolder } from './state-folder.ts';

/** Makes a folder, with those above it that are missing, for this user alone; whatever the umask says. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** An empty file for this user alone, for programs that would make one that others can read. Throws where it is there. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
}

/**
 * What others may do anything with, by its mode: a home's data with all that is in it, and the folder in which its user
 * keeps what was approved, which closes off what is in it.
 */
export function loosePaths(home: string, userState: string = userStateFolder()): readonly string[] {
  if (process.platform === 'win32') return [];
  const state = lstatSync(userState, { throwIfNoEntry: false });
  const all = [...pathsIn(join(home, 'data')), ...(state ? [[userState, state.mode] as const] : [])];
  return all.flatMap(([path, mode]) => ((mode & 0o077) === 0 ? [] : [path]));
}

/** Takes that from others. Returns what they could get at. What isn't ours stays as it is. */
export function makeDataPrivate(home: string, userState?: string): readonly string[] {
  return loosePaths(home, userState).filter((path) => {
    try {
      chmodSync(path, lstatSync(path).mode & 0o700);
      return true;
    } catch {
      return false; // Somebody else's, read-only, or gone meanwhile: doctor says what others can still read.
    }
  });
}

/** Links lead elsewhere, and have no mode of their own. */
function* pathsIn(path: string): Iterable<readonly [path: string, mode: number]> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return;
  yield [path, found.mode];
  if (!found.isDirectory()) return;
  for (const name of namesIn(path)) yield* pathsIn(join(path, name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // Gone meanwhile, or not to be read.
  }
}
