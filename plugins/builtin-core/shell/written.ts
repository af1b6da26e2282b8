import { statSync, type Stats } from 'node:fs';
import { basename, resolve } from 'node:path';

/** Milliseconds: file systems keep time more coarsely than we do. */
const coarse = 50;

/**
 * The files that a command names, whole or as the end of an address, and that were written since it began; the folders,
 * if they were made since then.
 */
export function writtenBy(command: string, cwd: string, began: number): readonly string[] {
  const words = command.split(/[\s"'`;|&<>()=]+/).filter((word) => word !== '' && !word.includes('\0'));
  const names = new Set(words.flatMap((word) => [word, basename(word), basename(word, '.git')]));
  const since = began - coarse;
  const statsOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });
  const folders = [cwd, ...[...names].map((name) => resolve(cwd, name))].filter((path) =>
    isFolder(statsOf(path)),
  );
  const paths = folders.flatMap((folder) => [...names].map((name) => resolve(folder, name)));
  return [...new Set(paths)].filter((path) => {
    const stats = statsOf(path);
    if (!stats) return false;
    // What is moved or copied with its times has a new change time all the same.
    return isFolder(stats) ? stats.birthtimeMs >= since : Math.max(stats.mtimeMs, stats.ctimeMs) >= since;
  });
}

const isFolder = (stats: Stats | undefined): boolean => stats?.isDirectory() ?? false;
