import { lstatSync, readdirSync, statSync, type Stats } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isWithin } from '../../core/files/paths.ts';

/** Tolerance in milliseconds: file systems store times less precisely than the clock. */
const clockResolutionMs = 50;
/** Maximum number of entries of a folder that are checked. */
const maxVisited = 20_000;
/** Maximum number of files of a folder that are listed one by one. */
const maxSingle = 100;

export interface RanCommand {
  readonly cwd: string;
  /** Milliseconds. */
  readonly began: number;
  readonly home: string;
  /** A folder that is left out. */
  readonly without: string;
}

/**
 * Paths that were written since a command began: those that its words name, completely or as the end of a path, and
 * files in its folder and in those of the home that it names. A new folder, or one with very many changes, represents its
 * contents.
 */
export function writtenBy(words: readonly string[], ran: RanCommand): readonly string[] {
  const { cwd, began, home, without } = ran;
  const names = new Set(words.flatMap((word) => [word, basename(word), basename(word, '.git')]));
  const folders = [cwd, ...[...names].map((name) => resolve(cwd, name))].filter(
    (path) => statsOf(path)?.isDirectory() ?? false,
  );
  const own = folders.filter(
    (folder) => folder === cwd || (isWithin(home, folder) && !isWithin(cwd, folder)),
  );
  const inFolders = own.flatMap((folder) => writtenIn(folder, began - clockResolutionMs, without));
  return [...new Set([...inFolders, ...writtenAmong(names, folders, began)])];
}

/** Of the paths with these names, absolute or in the folders, those that were written since then. */
export function writtenAmong(
  names: ReadonlySet<string>,
  folders: readonly string[],
  began: number,
): readonly string[] {
  const paths = folders.flatMap((folder) => [...names].map((name) => resolve(folder, name)));
  return [...new Set(paths)].filter((path) => {
    const stats = statsOf(path);
    return stats !== undefined && isNew(stats, began - clockResolutionMs);
  });
}

/** `without`: a folder that is left out. */
function writtenIn(folder: string, since: number, without: string): readonly string[] {
  const found: string[] = [];
  const waiting = [folder];
  let visited = 0;
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const own: string[] = [];
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name);
      if (++visited > maxVisited) return [...found, ...own, path, ...waiting];
      if (entry.isSymbolicLink() || path === without) continue;
      if (entry.name === '.git') {
        if (hasNewHistory(path, since)) own.push(path);
        continue;
      }
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (!stats) continue;
      if (isNew(stats, since)) own.push(path);
      else if (stats.isDirectory() && entry.name !== 'node_modules') waiting.push(path);
    }
    found.push(...(own.length > maxSingle ? [at] : own));
  }
  return found;
}

/** Content that git fetched, or got in a message. */
const hasNewHistory = (folder: string, since: number): boolean =>
  ['FETCH_HEAD', 'COMMIT_EDITMSG', 'MERGE_MSG'].some((name) => {
    const stats = statsOf(join(folder, name));
    return stats !== undefined && isNew(stats, since);
  });

/** Files that were moved or copied with preserved times have a new change time, and so have folders that were moved. */
const isNew = (stats: Stats, since: number): boolean => {
  const { birthtimeMs, mtimeMs, ctimeMs } = stats;
  if (!stats.isDirectory()) return Math.max(mtimeMs, ctimeMs) >= since;
  return birthtimeMs >= since || (ctimeMs >= since && mtimeMs < since);
};

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
