import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isWithin } from '../../core/files/paths.ts';
import { cloneAround, isClone } from './clones.ts';
import type { ContentHashes } from '../../core/files/content-hashes.ts';
import type { EntryKind, Listings } from './folder-listings.ts';
import { readGitIndex } from './git-index.ts';
import { gitSettings } from './git-settings.ts';

/**
 * What is pinned of a space: everything in it by its name within the space, with "/" between the parts. A file is its
 * SHA-256, with "x" if it may be executed; a link is its target and what that is; of the workspace it is what git has
 * checked out, not what agents have made of it.
 */
export type PinnedTree = { readonly [name: string]: string };

export interface FoundTree {
  readonly tree: PinnedTree;
  /** Folders that others write, by their names within the space. "" is the whole space. */
  readonly parts: readonly string[];
  /** Is it known what git has checked out in the workspace? */
  readonly hasIndex: boolean;
}

export interface Looking {
  readonly hashes: ContentHashes;
  readonly listings: Listings;
}

/** Agents write there unasked. */
const workspace = 'workspace';
/** More is not looked at. */
const maxEntries = 200_000;

/** A folder on the way through a space. */
interface Place {
  readonly path: string;
  /** "" is the space itself. */
  readonly name: string;
  readonly isForeign: boolean;
  /** Real paths of the parent folders. */
  readonly above: readonly string[];
}

/**
 * All files of a space that others write: clones, and `parts`. Includes hidden files, packages and targets of links,
 * but not the workspace and git's own data. Throws when something can't be read.
 */
export function findTree(folder: string, looking: Looking, parts: readonly string[]): FoundTree {
  const { hashes, listings } = looking;
  const tree: { [name: string]: string } = {};
  const found = new Set(parts);
  let count = 0;
  const add = (name: string, what: string): void => {
    if (++count > maxEntries) throw new Error(`it holds more than ${maxEntries} files`);
    tree[name] = what;
  };
  const describe = (path: string): string => {
    const { hash, isExecutable } = hashes.of(path);
    return isExecutable ? `${hash} x` : hash;
  };

  /** What of the owner's own can't be looked at can't be run either, and holds nothing back. */
  let failed = false;
  const inOwn = (work: () => void, isOthers: () => boolean): void => {
    try {
      work();
    } catch (cause) {
      failed ||= isOthers();
      if (failed) throw cause;
    }
  };

  const enter = ({ path, name, isForeign, above }: Place): void => {
    let isOthers = isForeign || found.has(name);
    const work = (): void => {
      const real = realpathSync(path);
      // A link to a folder above it leads in circles.
      if (above.includes(real)) return;
      const listing = listings(path);
      isOthers ||= listing.some(([entry]) => entry === '.git') && isClone(path);
      if (isOthers && !isForeign) found.add(name);
      if (isOthers && listing.length === 0) add(`${name}/`, 'empty');
      for (const [entry, kind] of listing) {
        const inner = { path: join(path, entry), name: name === '' ? entry : `${name}/${entry}` };
        look(kind, { ...inner, isForeign: isOthers, above: [...above, real] });
      }
    };
    inOwn(work, () => isOthers);
  };
  const look = (kind: EntryKind, place: Place): void => {
    const { path, name, isForeign } = place;
    if (name === workspace && kind === 'folder') return;
    if (kind === 'link') lookBehind(place);
    else if (kind === 'folder' && /(?:^|\/)\.git$/.test(name)) {
      if (isForeign)
        for (const [setting, file] of gitSettings(path)) add(`${name}/${setting}`, describe(file));
    } else if (kind === 'folder') enter(place);
    else if (isForeign) add(name, kind === 'file' ? describe(path) : 'special');
  };
  const lookBehind = (place: Place): void => {
    const { path, name, isForeign, above } = place;
    let isOthers = isForeign || found.has(name);
    const work = (): void => {
      const target = statSync(path, { throwIfNoEntry: false });
      const real = target && realpathSync(path);
      const isCloned =
        real !== undefined &&
        cloneAround(target?.isDirectory() ? real : dirname(real), above.at(-1)!) !== undefined;
      isOthers ||= isCloned;
      if (isOthers && !isForeign) found.add(name);
      // Files of the system, as in /proc, have no size and may have no end.
      const content = target?.isFile() && target.size > 0 ? ` ${describe(path)}` : '';
      if (isOthers) add(name, `link ${readlinkSync(path)}${content}`);
      // Folders of the system can't be pinned.
      const isInside = isCloned || (real !== undefined && isWithin(realRoot, real));
      if (target?.isDirectory() && isInside) enter({ ...place, isForeign: isOthers });
    };
    inOwn(work, () => isOthers);
  };

  const realRoot = realpathSync(folder);
  const isOthers = isLinkedFromClone(folder);
  if (isOthers) found.add('');
  enter({ path: folder, name: '', isForeign: isOthers, above: [] });
  const index = found.has('') ? checkedOut(folder) : undefined;
  for (const [name, what] of index ?? []) add(name, what);
  return { tree, parts: [...found].sort(), hasIndex: index !== undefined };
}

function isLinkedFromClone(folder: string): boolean {
  if (!lstatSync(folder).isSymbolicLink()) return false;
  return cloneAround(realpathSync(folder), realpathSync(join(folder, '..'))) !== undefined;
}

/** The files of the workspace that came with a clone or a pull. Other files there, written by agents, aren't pinned. */
function checkedOut(folder: string): readonly (readonly [string, string])[] | undefined {
  const real = realpathSync(folder);
  const root = isClone(real) ? real : cloneAround(real, realpathSync(join(folder, '..')));
  const index = root === undefined ? undefined : readGitIndex(root);
  if (root === undefined || index === undefined) return undefined;
  const way = relative(root, real).split(sep).join('/');
  const prefix = way === '' ? '' : `${way}/`;
  return [...index]
    .filter(([name]) => name.startsWith(`${prefix}${workspace}/`))
    .map(([name, what]) => [name.slice(prefix.length), `git ${what}`]);
}

export const nameIn = (folder: string, path: string): string => relative(folder, path).split(sep).join('/');

export const isGitSetting = (name: string): boolean => /(?:^|\/)\.git\//.test(name);

/** Whether agents write there. Only files that came with the space are pinned. */
export const isInWorkspace = (name: string): boolean => name.startsWith(`${workspace}/`);
