import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Sandbox } from '../../api/sandbox.ts';
import { PegboardError } from '../errors.ts';
import { isWithin } from '../files/paths.ts';
import { deniedPlaces, steeringPlaces } from '../files/write-boundary.ts';
import { exists } from './guarded-paths.ts';
import { freeFolders, readableFolders, writableFolders } from './rule.ts';
import { secretsOfPerson, secretsOfSystem } from './secret-places.ts';

/** What one program is confined to. Paths are absolute. */
export interface Confinement {
  readonly sandbox: Sandbox;
  /** Folders that it sees under `strict` too. */
  readonly shown: readonly string[];
  /** Folders that it may write to beside the workspaces of whoever acts. */
  readonly workspaces?: readonly string[];
  /** A folder in the home's data that is this program's alone. */
  readonly own?: string;
}

/** A folder that a confined program may write to. */
interface WritableFolder {
  readonly path: string;
  /**
   * Do guarded names count in it alone, and not in the folders in it? The owner has named it for this program: a cache,
   * for instance, which may be vast.
   */
  readonly isShallow: boolean;
}

/** What a confined program may reach, whatever confines it. Paths are real. */
export interface Boundary {
  /** Beside what its level shows. */
  readonly readable: readonly string[];
  readonly writable: readonly WritableFolder[];
  /** The program's own folder, in which no names are guarded. */
  readonly own: string | undefined;
  /** Within what is writable: not to be written to. Some don't exist. */
  readonly guarded: readonly string[];
  /** Not to be read either. */
  readonly secret: readonly string[];
}

/** Makes the folders that are its own to write to. Throws PEG_DENIED for a workspace that is a link. */
export function boundaryOf({ sandbox, shown, workspaces = [], own }: Confinement): Boundary {
  const { places } = sandbox;
  const spaces = [...places.workspaces, ...workspaces].map(made);
  const asked = places.roots.filter(({ write }) => write === 'ask').map(({ path }) => path);
  const free = freeFolders(sandbox, workspaces).flatMap(realPath);
  const steering = [...steeringPlaces(places), ...places.named];
  const denied = deniedPlaces(places);
  const secret = [...[...secretsOfSystem, ...secretsOfPerson(homedir())].flatMap(realPath), ...denied];
  const writable = writableFolders(sandbox, free)
    .flatMap((path) => madeWithin(path, spaces))
    // Of a folder that is searched for what to run, a sandbox can't leave documents alone.
    .filter((path) => !places.dependencyFolders.includes(path))
    .filter((path) => !liesIn(path, [...secret, ...places.named]))
    .filter((path) => liesIn(path, spaces) || !liesIn(path, steering));
  return {
    readable: [...shown, ...readableFolders(sandbox)]
      .flatMap(realPath)
      .filter((path) => !liesIn(path, [...secret, ...writable])),
    writable: writable.map((path) => ({ path, isShallow: !liesIn(path, free) })),
    own: own === undefined ? undefined : made(own),
    guarded: [...steering, ...places.dependencyFolders, ...asked, ...denied].filter(
      (path) => !writable.includes(path) && liesIn(path, writable),
    ),
    secret,
  };
}

const liesIn = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => isWithin(folder, path));

/** A folder that belongs to whoever acts. A link could lead anywhere. */
function made(path: string): string {
  if (!exists(path)) mkdirSync(path, { recursive: true });
  if (lstatSync(path).isDirectory()) return realpathSync(path);
  throw new PegboardError(
    'PEG_DENIED',
    `${path} is a link or a file. A workspace must be a folder of its own: move what is there, and make one.`,
  );
}

/** One that is missing is made within a workspace, and left out elsewhere. Mounts are made on real paths. */
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
