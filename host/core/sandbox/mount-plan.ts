import { dirname, join } from 'node:path';
import { isWithin } from '../files/paths.ts';
import { realPath, type Boundary } from './boundary.ts';
import { exists, guardedPaths } from './guarded-paths.ts';
import { blockedNames, holdPlaceholder } from './placeholders.ts';
import { putAside } from './put-aside.ts';

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

/** Looks through what is writable, and makes the placeholders that it needs. */
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
    .flatMap((path) => holdPlaceholder(path) ?? []);
  const hidden = [...secret.flatMap(realPath), ...placeholders.map(({ path }) => path)];
  return {
    readable,
    writable: [...pins(writable, [...readOnly, ...hidden]), ...writable, ...(own === undefined ? [] : [own])],
    readOnly,
    hidden,
    close() {
      for (const placeholder of placeholders) placeholder[Symbol.dispose]();
      return found.flatMap((paths) => putAside(paths, absent));
    },
  };
}

/**
 * The folders above what is mounted that can be written to: only one that is mounted itself can't be renamed and replaced
 * by another.
 */
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
