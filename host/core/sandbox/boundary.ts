import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import type { Sandbox } from '../../api/sandbox.ts';
import { PegboardError } from '../errors.ts';
import { isWithin } from '../files/paths.ts';
import { deniedPaths, codePaths } from '../files/write-boundary.ts';
import { exists } from './guarded-paths.ts';
import { freeFolders, readableFolders, writableFolders } from './rule.ts';
import { secretFilesIn, userSecretPaths, systemSecretPaths } from './secret-paths.ts';

/** The sandbox of one program. Paths are absolute. */
export interface Confinement {
  readonly sandbox: Sandbox;
  /** Folders that are visible under `strict` too. */
  readonly shown: readonly string[];
  /** Writable folders besides the caller's workspaces. */
  readonly workspaces?: readonly string[];
  /** A folder in the home's data that only this program uses. */
  readonly own?: string;
}

/** A folder that a sandboxed program may write to. */
interface WritableFolder {
  readonly path: string;
  /**
   * Whether guarded names count only directly in it, not in its subfolders. Such a folder was listed by the owner for
   * this program and may be huge, such as a cache.
   */
  readonly isShallow: boolean;
}

/** What a sandboxed program may access, on any platform. Paths are real. */
export interface Boundary {
  /** In addition to what its level shows. */
  readonly readable: readonly string[];
  readonly writable: readonly WritableFolder[];
  /** The program's own folder, in which no names are guarded. */
  readonly own: string | undefined;
  /** Read-only paths within writable ones. Some don't exist. */
  readonly guarded: readonly string[];
  /** Paths that can't be read either. */
  readonly secret: readonly string[];
}

/** Creates its own writable folders. Throws PEG_DENIED for a workspace that is a link. */
export function boundaryOf({ sandbox, shown, workspaces = [], own }: Confinement): Boundary {
  const { knownFolders } = sandbox;
  const spaces = [...knownFolders.workspaces, ...workspaces].map(made);
  const asked = knownFolders.roots.filter(({ write }) => write === 'ask').map(({ path }) => path);
  const free = freeFolders(sandbox, workspaces).flatMap(realPath);
  const code = [...codePaths(knownFolders), ...knownFolders.named];
  const denied = deniedPaths(knownFolders);
  const { home, roots, userHome } = knownFolders;
  const given = readableFolders(sandbox).flatMap(realPath);
  const known = [home, ...shown, ...(sandbox.level === 'strict' ? [] : roots.map(({ path }) => path))];
  const apart = [...free, ...spaces, ...given, ...denied];
  const secret = [
    ...[...systemSecretPaths, ...userSecretPaths(userHome)].flatMap(realPath),
    ...secretFilesIn(known.flatMap(realPath), apart).flatMap(realPath),
    ...denied,
  ];
  const writable = writableFolders(sandbox, free)
    .flatMap((path) => madeWithin(path, spaces))
    // A sandbox can't make only the documents of a code-loading folder writable.
    .filter((path) => !knownFolders.dependencyFolders.includes(path))
    .filter((path) => !liesIn(path, [...secret, ...knownFolders.named]))
    .filter((path) => liesIn(path, spaces) || !liesIn(path, code));
  return {
    readable: [...shown.flatMap(realPath), ...given].filter(
      (path) => !liesIn(path, [...secret, ...writable]),
    ),
    writable: writable.map((path) => ({ path, isShallow: !liesIn(path, free) })),
    own: own === undefined ? undefined : made(own),
    guarded: [...code, ...knownFolders.dependencyFolders, ...asked, ...denied].filter(
      (path) => !writable.includes(path) && liesIn(path, writable),
    ),
    secret,
  };
}

const liesIn = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => isWithin(folder, path));

/** Creates a folder of the caller. Throws for a link, which could lead anywhere. */
function made(path: string): string {
  if (!exists(path)) mkdirSync(path, { recursive: true });
  if (lstatSync(path).isDirectory()) return realpathSync(path);
  throw new PegboardError(
    'PEG_DENIED',
    `${path} is a link or a file. A workspace must be a folder of its own: move what is there, and make one.`,
  );
}

/** A missing folder is created within a workspace and skipped elsewhere. Mounts need real paths. */
function madeWithin(path: string, workspaces: readonly string[]): readonly string[] {
  if (!exists(path) && workspaces.some((folder) => isWithin(folder, path)))
    mkdirSync(path, { recursive: true });
  return realPath(path);
}

export function realPath(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
