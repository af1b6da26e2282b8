import { lstatSync, readdirSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import { PegboardError, toJson } from 'pegboard';
import { openSubfolder } from 'pegboard/files';

/** An entry of a folder to be deleted. */
export interface RemovalEntry {
  /** Relative to the folder, separated by "/". */
  readonly path: string;
  readonly isFolder: boolean;
  /** Device and inode, which differ if something else replaces it. */
  readonly identity: string;
}

/** Maximum number of files deleted in one call, so that a person can review the list. */
const maxEntries = 20_000;

/** Everything below the folder opened as `self`, contents before their folder. Links are not followed. */
export function listRemoval(self: string): readonly RemovalEntry[] {
  const found: RemovalEntry[] = [];
  enter(self, '');
  return found;

  function enter(folder: string, way: string): void {
    for (const name of readdirSync(folder).sort()) {
      const path = way === '' ? name : `${way}/${name}`;
      const stats = lstatSync(`${folder}/${name}`, { bigint: true });
      if (stats.isDirectory()) {
        using inner = openSubfolder(folder, name);
        if (!inner) throw new PegboardError('PEG_TOOL_FAILED', `${path} can't be opened.`);
        enter(inner.path, path);
      }
      if (found.length >= maxEntries)
        throw new PegboardError(
          'PEG_LIMIT',
          `There are more than ${maxEntries.toLocaleString('en')} files in it. Delete its folders one by one.`,
        );
      found.push({ path, isFolder: stats.isDirectory(), identity: `${stats.dev} ${stats.ino}` });
    }
  }
}

/**
 * Deletes exactly what was listed, each entry in the folder that was opened on the way to it. Throws PEG_TOOL_FAILED,
 * before anything is deleted, when something else is there now.
 */
export function removeListed(self: string, listed: readonly RemovalEntry[]): void {
  if (toJson(listRemoval(self)) !== toJson(listed)) throw changed();
  const identities = new Map(listed.map(({ path, identity }) => [path, identity]));
  empty(self, '');

  function empty(folder: string, way: string): void {
    for (const name of readdirSync(folder)) {
      const path = way === '' ? name : `${way}/${name}`;
      const at = `${folder}/${name}`;
      const stats = lstatSync(at, { bigint: true });
      if (identities.get(path) !== `${stats.dev} ${stats.ino}`) throw changed();
      if (!stats.isDirectory()) {
        unlinkSync(at);
        continue;
      }
      using inner = openSubfolder(folder, name);
      if (!inner || statSync(inner.path, { bigint: true }).ino !== stats.ino) throw changed();
      empty(inner.path, path);
      rmdirSync(at);
    }
  }
}

const changed = (): PegboardError =>
  new PegboardError(
    'PEG_TOOL_FAILED',
    'The contents of the folder changed while this call was being prepared. List it again, then repeat the call.',
  );
