import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The content of a tree by path: links by target, files by content. `isOurs`: what hosts write themselves. */
export function snapshotOf(
  root: string,
  isOurs: (path: string) => boolean = () => false,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  enter(root);
  return found;

  function enter(folder: string): void {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      if (isOurs(path)) continue;
      const stats = lstatSync(path);
      if (stats.isDirectory()) {
        found.set(path, 'folder');
        enter(path);
      } else found.set(path, stats.isSymbolicLink() ? readlinkSync(path) : hashOf(path));
    }
  }
}

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('base64');

/** Paths at which the two differ. */
export const differences = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
