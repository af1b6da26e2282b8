import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Sandbox } from '../../api/sandbox.ts';
import { PegboardError } from '../errors.ts';
import { isWithin } from '../paths.ts';
import { deniedPlaces, steeringPlaces } from '../write-boundary.ts';
import { exists, guardedPaths } from './guarded-paths.ts';
import { blockedNames, holdPlaceholder } from './placeholders.ts';
import { putAside } from './put-aside.ts';
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

/** What is mounted where. Whatever is not in it is seen, at level `workspace`, and can't be written to. */
export interface MountPlan {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Beneath what is writable. */
  readonly readOnly: readonly string[];
  /** Nothing of it is seen, and nothing can be put there. */
  readonly hidden: readonly string[];
  /** To be called when the program has ended: tells what it has left under names that decide what runs. */
  readonly close: () => readonly string[];
}

/** Makes the folders that it may write to and that are its own, and the placeholders that it needs. */
export function planMounts({ sandbox, shown, workspaces = [], own }: Confinement): MountPlan {
  const { places } = sandbox;
  const spaces = [...places.workspaces, ...workspaces].map(made);
  const asked = places.roots.filter(({ write }) => write === 'ask').map(({ path }) => path);
  const free = freeFolders(sandbox, workspaces).flatMap(realPath);
  const guarded = [...steeringPlaces(places), ...places.named];
  const denied = deniedPlaces(places);
  const secrets = [...secretsOfSystem, ...secretsOfPerson(homedir()), ...denied].flatMap(realPath);

  const liesIn = (path: string, folders: readonly string[]): boolean =>
    folders.some((folder) => isWithin(folder, path));
  const writable = writableFolders(sandbox, free)
    .flatMap((path) => madeWithin(path, spaces))
    .filter((path) => !liesIn(path, [...denied, ...secrets, ...places.named]))
    .filter((path) => liesIn(path, spaces) || !liesIn(path, guarded));

  const isInside = (path: string): boolean => !writable.includes(path) && liesIn(path, writable);
  const found = writable.map((folder) =>
    guardedPaths(folder, {
      apart: [...writable, ...guarded, ...secrets],
      // What the owner has named one by one, a cache for instance, may be vast.
      isShallow: !liesIn(folder, free),
    }),
  );
  const existing = [...found.flatMap((paths) => paths.existing), ...guarded.flatMap(realPath), ...asked];
  const readOnly = unique(existing.filter(isInside));
  const absent = [...guarded, ...denied].filter((path) => isInside(path) && !exists(path));
  const named = writable.flatMap((folder) => blockedNames.map((name) => join(folder, name)));
  const placeholders = unique([...named, ...absent])
    .filter((path) => !writable.includes(path))
    .flatMap((path) => holdPlaceholder(path) ?? []);
  const hidden = [...secrets, ...placeholders.map(({ path }) => path)];
  return {
    readable: [...shown, ...readableFolders(sandbox)]
      .flatMap(realPath)
      .filter((path) => !liesIn(path, [...secrets, ...writable])),
    writable: [
      ...pins(writable, [...readOnly, ...hidden]),
      ...writable,
      ...(own === undefined ? [] : [made(own)]),
    ],
    readOnly,
    hidden,
    close() {
      for (const placeholder of placeholders) placeholder[Symbol.dispose]();
      return found.flatMap((paths) => putAside(paths, absent));
    },
  };
}

/** The folders above what is mounted: only one that is mounted itself can't be renamed and replaced by another. */
function pins(writable: readonly string[], mounted: readonly string[]): readonly string[] {
  const between = (path: string): readonly string[] => {
    const above = dirname(path);
    if (writable.includes(above) || !writable.some((folder) => isWithin(folder, above))) return [];
    return [...between(above), above];
  };
  return unique(mounted.flatMap(between));
}

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

function realPath(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}

const unique = (paths: readonly string[]): readonly string[] => [...new Set(paths)];
