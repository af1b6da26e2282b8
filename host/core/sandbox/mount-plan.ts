import { dirname, join } from 'node:path';
import { isWithin } from '../files/paths.ts';
import { realPath, type Boundary } from './boundary.ts';
import { exists, guardedPaths } from './guarded-paths.ts';
import { blockedNames, createPlaceholder } from './placeholders.ts';
import { quarantineNewFiles } from './quarantine.ts';

/** The mounts of a sandbox. At level `workspace`, everything else is visible and read-only. */
export interface MountPlan {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Below writable paths. */
  readonly readOnly: readonly string[];
  /** Neither readable nor writable. */
  readonly hidden: readonly string[];
  /** Call it when the program has ended. Returns files that it created under guarded names. */
  readonly close: () => readonly string[];
}

/** Searches the writable folders and creates the placeholders. */
export function planMounts({ readable, writable: folders, own, guarded, secret }: Boundary): MountPlan {
  const writable = folders.map(({ path }) => path);
  const found = folders.map(({ path, isShallow }) =>
    guardedPaths(path, { apart: [...writable, ...guarded, ...secret], isShallow }),
  );
  const fixed = guarded.filter((path) => !secret.includes(path)).flatMap(realPath);
  const readOnly = unique([...found.flatMap(({ existing }) => existing), ...fixed]).filter(
    (path) => !writable.includes(path),
  );
  const absent = guarded.filter((path) => !exists(path));
  const named = writable.flatMap((folder) => blockedNames.map((name) => join(folder, name)));
  const placeholders = unique([...named, ...absent])
    .filter((path) => !writable.includes(path))
    .flatMap((path) => createPlaceholder(path) ?? []);
  const hidden = [...secret.flatMap(realPath), ...placeholders.map(({ path }) => path)];
  return {
    readable,
    writable: [...pins(writable, [...readOnly, ...hidden]), ...writable, ...(own === undefined ? [] : [own])],
    readOnly,
    hidden,
    close() {
      for (const placeholder of placeholders) placeholder[Symbol.dispose]();
      return found.flatMap((paths) => quarantineNewFiles(paths, absent));
    },
  };
}

/** Writable folders above the mounts. They are mounted too, because otherwise they could be renamed and replaced. */
function pins(writable: readonly string[], mounted: readonly string[]): readonly string[] {
  const isWritable = (path: string): boolean => {
    const around = [...writable, ...mounted].filter((place) => isWithin(place, path));
    const innermost = Math.max(0, ...around.map((place) => place.length));
    return writable.some((folder) => folder.length === innermost && around.includes(folder));
  };
  const above = (path: string): readonly string[] => {
    const folder = dirname(path);
    return writable.includes(folder) || !isWritable(folder) ? [] : [...above(folder), folder];
  };
  return unique(mounted.flatMap(above));
}

const unique = (paths: readonly string[]): readonly string[] => [...new Set(paths)];
