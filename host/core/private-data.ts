import { chmodSync, closeSync, lstatSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Makes a folder, with those above it that are missing, for this user alone; whatever the umask says. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/** An empty file for this user alone, for programs that would make one that others can read. Throws where it is there. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', 0o600));
}

/** What in a home's data others may do anything with, by their modes; the folder itself included. */
export function loosePaths(home: string): readonly string[] {
  if (process.platform === 'win32') return [];
  return [...pathsIn(join(home, 'data'))].flatMap(([path, mode]) => ((mode & 0o077) === 0 ? [] : [path]));
}

/** Takes from others what they may do with a home's data. Returns what they could. What isn't ours stays as it is. */
export function makeDataPrivate(home: string): readonly string[] {
  return loosePaths(home).filter((path) => {
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
