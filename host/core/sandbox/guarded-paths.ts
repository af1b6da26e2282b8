import { lstatSync, readdirSync, readlinkSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { PegboardError } from '../errors.ts';
import { isGuardedName } from '../files/guarded-names.ts';
import { isPlaceholder } from './placeholders.ts';
import { withCommas } from '../text/with-commas.ts';

/** A symbolic link with a guarded name. Nothing can be mounted on it. */
interface GuardedLink {
  readonly path: string;
  readonly target: string;
}

/** The paths in a writable folder that decide what runs. */
export interface GuardedPaths {
  /** Files and whole folders. */
  readonly existing: readonly string[];
  readonly links: readonly GuardedLink[];
  /** The folders that were searched. */
  readonly folders: readonly string[];
  /** The start of the search, in milliseconds. */
  readonly at: number;
}

/** Maximum number of entries to search: 50,000 take about 100 ms. */
export const maxEntries = 50_000;

/**
 * Searches `folder` for guarded names, but not below guarded folders or in `apart`. With `isShallow`, only its own
 * entries count. Throws PEG_LIMIT for a folder with too many entries.
 */
export function guardedPaths(
  folder: string,
  {
    apart = [],
    isShallow = false,
  }: { readonly apart?: readonly string[]; readonly isShallow?: boolean } = {},
): GuardedPaths {
  const existing: string[] = [];
  const links: GuardedLink[] = [];
  const at = Date.now();
  const folders = [folder];
  let entries = 0;
  for (const current of folders) {
    for (const entry of entriesOf(current)) {
      if (++entries > maxEntries) throw tooMuch(folder);
      const path = join(current, entry.name);
      if (!isGuardedName(entry.name)) {
        if (entry.isDirectory() && !isShallow && !apart.includes(path)) folders.push(path);
      } else if (entry.isSymbolicLink()) links.push({ path, target: readlinkSync(path) });
      else if (!isPlaceholder(path)) existing.push(path);
    }
  }
  return { existing, links, folders, at };
}

/** A folder that can't be listed or no longer exists can't be written to either. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

export function tooMuch(folder: string): PegboardError {
  return new PegboardError(
    'PEG_LIMIT',
    `${folder} holds more than ${withCommas(maxEntries)} files outside of node_modules and the like, too many to guard in a sandbox. List only the folders in it that are worked in.`,
  );
}
