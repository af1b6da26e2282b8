import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { PegboardError, type ListedRoot } from 'pegboard';
import { deniedPlaces, realPathOf, userStateFolder } from 'pegboard/files';
import type { CoreConfig } from '../../config.ts';

/** A folder whose contents the file tools may use. */
export interface Root {
  readonly path: string;
  /** With symlinks resolved, once, when the plugin starts. No link is followed on the way to it later. */
  readonly real: string;
}

/** A path inside a root. Only its letters were looked at: what lies there is for `reach` to find out. */
export interface RootedPath {
  readonly root: Root;
  /** Empty: the root itself. */
  readonly relative: string;
}

export interface Roots {
  readonly home: Root;
  /** Where relative paths start. */
  readonly base: Root;
  /** Those that a path may lie in. */
  readonly all: readonly Root[];
  /** Beside the home: what the owner says of writing there. */
  readonly listed: readonly ListedRoot[];
  /** What no file tool touches, wherever it lies. */
  readonly denied: readonly string[];
  /** Throws PEG_DENIED for a path outside every root, PEG_INVALID_ARGUMENTS for one that can't be a path. */
  place(path: string): RootedPath;
}

/** The kernel takes no longer path. */
const maxPathLength = 4096;

/** Relative paths start at the home. A configured folder that doesn't exist is left out and reported to `warn`. */
export function createRoots(
  home: string,
  configured: CoreConfig['roots'],
  warn: (message: string) => void,
): Roots {
  const homeRoot: Root = { path: resolve(home), real: realPathOf(home) };
  const others = configured.map(asEntry).flatMap(({ path: written, write = 'ask' }) => {
    const path = resolve(
      home,
      written.replace(/^~(?=\/|$)/, () => homedir()),
    );
    try {
      return [{ path, real: realpathSync(path), write }];
    } catch {
      warn(`plugins.builtin-core.config.roots: ${path} does not exist and is left out`);
      return [];
    }
  });
  const roots = [homeRoot, ...others];
  return {
    home: homeRoot,
    base: homeRoot,
    all: roots,
    listed: others.map(({ real, write }) => ({ path: real, write })),
    denied: deniedPlaces({ home: homeRoot.real, userState: realPathOf(userStateFolder()) }),
    place(path) {
      if (path.includes('\0')) throw new PegboardError('PEG_INVALID_ARGUMENTS', 'The path holds a NUL byte.');
      if (Buffer.byteLength(path) > maxPathLength) {
        throw new PegboardError('PEG_INVALID_ARGUMENTS', `The path is longer than ${maxPathLength} bytes.`);
      }
      const absolute = resolve(homeRoot.path, path);
      for (const root of roots) {
        const way = wayInto(root.path, absolute) ?? wayInto(root.real, absolute);
        if (way !== undefined) return { root, relative: way };
      }
      throw outside(absolute, roots);
    },
  };
}

const asEntry = (written: CoreConfig['roots'][number]) =>
  typeof written === 'string' ? { path: written } : written;

export function wayInto(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  return way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way;
}

function outside(path: string, roots: readonly Root[]): PegboardError {
  const allowed = roots.map((root) => root.path).join(', ');
  return new PegboardError(
    'PEG_DENIED',
    `${path} is outside the folders that file tools may use: ${allowed}. More can be allowed in pegboard.yaml: plugins.builtin-core.config.roots.`,
  );
}

/** The path that a place stands for, symlinks of its root resolved. */
export function pathOf({ root, relative: way }: RootedPath): string {
  return way === '' ? root.real : join(root.real, way);
}

/** Is it a file of the home, which the owner keeps, and not of another folder? */
export function fromHome({ home }: Roots, path: string): boolean {
  return wayInto(home.real, path) !== undefined;
}
