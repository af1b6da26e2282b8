import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { PegboardError, type ListedRoot, type Surroundings } from 'pegboard';
import { realPathOf, userStateFolder, type ReadableFolders } from 'pegboard/files';
import type { CoreConfig } from '../../config.ts';

/** A folder whose contents the file tools may use. */
export interface Root {
  readonly path: string;
  /** With symlinks resolved once, when the plugin starts. No link on the way to it is followed later. */
  readonly real: string;
}

/** A path inside a root. Only the text of the path was checked; `openPath` checks the file system. */
export interface RootedPath {
  readonly root: Root;
  /** Empty for the root itself. */
  readonly relative: string;
}

export interface Roots {
  readonly home: Root;
  /** Where relative paths start. */
  readonly base: Root;
  /** Folders that a path may be in. */
  readonly all: readonly Root[];
  /** Folders outside the home, with the owner's setting for writing there. */
  readonly listed: readonly ListedRoot[];
  /** Folders whose files the owner writes, or trusts. */
  readonly own: readonly Root[];
  /** The same folders, for what a model may see of them. */
  readonly readable: ReadableFolders;
  /** The host's variables, by which git finds the user's settings. */
  readonly env: Surroundings['env'];
  /** Throws PEG_DENIED for a path outside every root and PEG_INVALID_ARGUMENTS for an invalid path. */
  place(path: string): RootedPath;
}

/** The kernel's limit for paths. */
const maxPathLength = 4096;

/** Relative paths start at the home. A configured folder that doesn't exist is left out and reported to `warn`. */
export function createRoots(
  home: string,
  surroundings: Surroundings,
  configured: CoreConfig['roots'],
  warn: (message: string) => void,
): Roots {
  const homeRoot: Root = { path: resolve(home), real: realPathOf(home) };
  const others = configured.map(asEntry).flatMap(({ path: written, write = 'ask' }) => {
    const path = resolve(
      home,
      written.replace(/^~(?=\/|$)/, () => surroundings.userHome),
    );
    try {
      return [{ path, real: realpathSync(path), write }];
    } catch {
      warn(`plugins.builtin-core.config.roots: ${path} does not exist and is left out`);
      return [];
    }
  });
  const roots = [homeRoot, ...others];
  const listed = others.map(({ real, write }) => ({ path: real, write }));
  return {
    home: homeRoot,
    base: homeRoot,
    all: roots,
    listed,
    own: [homeRoot],
    readable: {
      home: homeRoot.real,
      userState: realPathOf(userStateFolder(surroundings)),
      workspaces: [],
      roots: listed,
    },
    env: surroundings.env,
    place: (path) => placeIn(homeRoot, roots, path),
  };
}

/** Where a path lies that may be relative to `base`. Throws as `Roots.place`. */
export function placeIn(base: Root, all: readonly Root[], path: string): RootedPath {
  if (path.includes('\0')) throw new PegboardError('PEG_INVALID_ARGUMENTS', 'The path contains a NUL byte.');
  if (Buffer.byteLength(path) > maxPathLength)
    throw new PegboardError('PEG_INVALID_ARGUMENTS', `The path is longer than ${maxPathLength} bytes.`);
  const absolute = resolve(base.path, path);
  for (const root of all) {
    const way = relativePathIn(root.path, absolute) ?? relativePathIn(root.real, absolute);
    if (way !== undefined) return { root, relative: way };
  }
  throw outside(absolute, all);
}

const asEntry = (written: CoreConfig['roots'][number]) =>
  typeof written === 'string' ? { path: written } : written;

export function relativePathIn(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way;
}

function outside(path: string, roots: readonly Root[]): PegboardError {
  const allowed = [...new Set(roots.map((root) => root.path))].join(', ');
  return new PegboardError(
    'PEG_DENIED',
    `${path} is outside the folders that file tools may use: ${allowed}. More can be allowed in pegboard.yaml: plugins.builtin-core.config.roots.`,
  );
}

/** The absolute path, with symlinks of its root resolved. */
export function pathOf({ root, relative: way }: RootedPath): string {
  return way === '' ? root.real : join(root.real, way);
}

/** Whether the path is in the home or a trusted project, and not in another root. */
export const isOwn = ({ own }: Roots, path: string): boolean =>
  own.some(({ real }) => relativePathIn(real, path) !== undefined);
