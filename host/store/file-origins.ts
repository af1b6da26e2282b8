import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { FileOrigins } from '../api/file-origins.ts';
import type { Origin } from '../api/provenance.ts';
import { readJsonFile, writeJsonFile } from '../core/json-file.ts';
import { isWithin } from '../core/paths.ts';
import { withFileLock } from './file-lock.ts';

interface Entry {
  /** Real and absolute. */
  readonly path: string;
  /** Device and inode: a file that is moved stays what it is. */
  readonly file: string;
  readonly origin: Origin;
}

/** Entries that are kept: of files that are gone none, of others the latest. */
const most = 5_000;
/** Shorter names of files stand in too many texts by chance. */
const shortestName = 4;

export const fileOriginsOf = (home: string): string => join(home, 'data/file-origins.json');

/** One file, read again when it has changed: another process of the home may have noted something. */
export function createFileOrigins(home: string): FileOrigins {
  const path = fileOriginsOf(home);
  let entries: readonly Entry[] = [];
  let seen = -1;
  const read = (): readonly Entry[] => {
    const time = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -1;
    if (time !== seen) {
      const stored = readJsonFile(path);
      entries = Array.isArray(stored) ? (stored as Entry[]) : [];
      seen = time;
    }
    return entries;
  };
  const find = (real: string): Entry | undefined => {
    const file = identityOf(real);
    return read().findLast((entry) => isWithin(entry.path, real) || entry.file === file);
  };
  return {
    async note(given, origin) {
      const real = realOf(given);
      const file = identityOf(real);
      if (file === undefined) return;
      await withFileLock(path, async () => {
        const others = read().filter((entry) => entry.path !== real && existsSync(entry.path));
        await writeJsonFile(path, [...others, { path: real, file, origin }].slice(-most));
      });
      seen = -1;
    },
    of: (given) => (read().length === 0 ? undefined : find(realOf(given))?.origin),
    namedIn(text) {
      if (read().length === 0) return undefined;
      const real = realOf(home);
      return read().findLast(({ path: file }) => namesOf(file, real).some((name) => isNamed(text, name)))
        ?.origin;
    },
  };
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function identityOf(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

/** How a command may call it: by its name, and by the folder of the home that it lies in. */
function namesOf(path: string, home: string): readonly string[] {
  const name = basename(path);
  const folder = isWithin(home, path) ? relative(home, dirname(path)).split(sep).join('/') : '';
  return [...(name.length >= shortestName ? [name] : [path]), ...(folder === '' ? [] : [folder])];
}

function isNamed(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + name.length] ?? ' '];
    if (!/[\w.-]/.test(before) && !/[\w-]/.test(after)) return true;
  }
  return false;
}
