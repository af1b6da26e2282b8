import { lstatSync, readdirSync, type Dirent, type Stats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turnOfLoop } from 'node:timers/promises';

/** Device, inode and birth time: unchanged when a file is moved, and different when its inode is reused. */
export const identityIn = ({ dev, ino, birthtimeMs }: Stats): string => `${dev}:${ino}:${birthtimeMs}`;

/** Entries that are looked at before others get their turn. */
const sliceSize = 500;

/** The paths at which files and folders are now, by their identities. `without`: a folder that is left out. */
export async function findMoved(
  identities: ReadonlySet<string>,
  folder: string,
  without: string,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const waiting = [folder];
  let looked = 0;
  for (let at = waiting.pop(); at !== undefined && found.size < identities.size; at = waiting.pop())
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name);
      if (path === without) continue;
      if (entry.isDirectory()) waiting.push(path);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      const identity = stats && identityIn(stats);
      if (identity !== undefined && identities.has(identity)) found.set(identity, path);
      if (++looked % sliceSize === 0) await turnOfLoop();
    }
  return found;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
