import { setImmediate } from 'node:timers/promises';
import { openSubfolder } from 'pegboard/files';
import { entriesOf, kindOf, type WalkedEntry } from './entries.ts';
import type { IgnoreRules } from '../search/ignore-rules.ts';

export interface WalkOptions {
  readonly signal: AbortSignal;
  /** Folders and files that are not even reported. */
  readonly skip: (path: string) => boolean;
  /** The start of the walk, relative to the root that `rules` refer to, separated by "/". */
  readonly from: string;
  /** The rules of the folders above. */
  readonly rules: IgnoreRules;
}

/** Entries between two pauses for other work. */
const stride = 2_000;

/**
 * Everything below a folder, by name, folders before their contents. Symlinks are not followed. What git ignores
 * is reported but not entered. `at` is a path that keeps referring to this folder (`OpenedPath.self`).
 */
export async function* walkTree(at: string, options: WalkOptions): AsyncGenerator<WalkedEntry> {
  const { signal, skip, from } = options;
  const fromRoot = (path: string): string => [from, path].filter((part) => part !== '').join('/');
  let seen = 0;
  yield* enter(at, '', options.rules);

  async function* enter(folder: string, way: string, outer: IgnoreRules): AsyncGenerator<WalkedEntry> {
    const rules = outer.within(fromRoot(way), folder);
    for (const entry of entriesOf(folder)) {
      if (++seen % stride === 0) await setImmediate();
      signal.throwIfAborted();
      const path = way === '' ? entry.name : `${way}/${entry.name}`;
      if (skip(path)) continue;
      const kind = kindOf(entry);
      const ignored = rules.ignores(fromRoot(path), kind === 'folder');
      yield { path, kind, at: `${folder}/${entry.name}`, ignored };
      if (kind !== 'folder' || ignored) continue;
      using subfolder = openSubfolder(folder, entry.name);
      if (subfolder) yield* enter(subfolder.path, path, rules);
    }
  }
}
