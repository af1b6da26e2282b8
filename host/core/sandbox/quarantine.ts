import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDraft } from '../files/draft.ts';
import { isGuardedName } from '../files/guarded-names.ts';
import type { GuardedPaths } from './guarded-paths.ts';
import { isPlaceholder } from './placeholders.ts';

/** The suffix for renamed files, under which nothing runs or loads them. */
const suffix = '.made-in-sandbox';

/**
 * Renames files that a sandbox has created under guarded names in existing folders, and restores links that it has
 * replaced. Returns their new paths. Linux only: folders are accessed through descriptors, because another sandbox may
 * be replacing folders with links at the same time.
 */
export function quarantineNewFiles(
  { existing, links, folders, at }: GuardedPaths,
  missing: readonly string[] = [],
): readonly string[] {
  const before = new Set([...existing, ...links.map(({ path }) => path)]);
  const found: string[] = [];
  for (const folder of folders.filter((path) => hasChangedSince(path, at))) {
    const aside: string[] = [];
    using held = hold(folder);
    if (!held) continue;
    const names = readdirSync(held.path);
    const isNew = (name: string): boolean =>
      missing.includes(join(folder, name)) ||
      (isGuardedName(name) && !before.has(join(folder, name)) && !isDraft(name));
    for (const name of names.filter(isNew)) {
      if (!isPlaceholder(join(held.path, name))) aside.push(...rename(held.path, name, names));
    }
    for (const { path, target } of links.filter((link) => dirname(link.path) === folder)) {
      const name = basename(path);
      if (targetOf(join(held.path, name)) === target) continue;
      if (names.includes(name)) aside.push(...rename(held.path, name, names));
      symlinkSync(target, join(held.path, name));
    }
    found.push(...aside.map((name) => join(folder, name)));
  }
  return found;
}

/** The time of the last change of a folder can't be forged. The kernel's file clock has steps of up to 10 ms. */
const hasChangedSince = (folder: string, at: number): boolean =>
  (lstatSync(folder, { throwIfNoEntry: false })?.ctimeMs ?? 0) > at - clockStepMs;

const clockStepMs = 100;

/** The new name. Empty if the file no longer exists. */
function rename(folder: string, name: string, taken: readonly string[]): readonly string[] {
  let free = `${name}${suffix}`;
  for (let number = 2; taken.includes(free); number++) free = `${name}${suffix}-${number}`;
  try {
    renameSync(join(folder, name), join(folder, free));
    return [free];
  } catch {
    return [];
  }
}

/** Undefined when the folder no longer exists or its path leads elsewhere. */
function hold(folder: string): ({ readonly path: string } & Disposable) | undefined {
  try {
    const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    const path = `/proc/self/fd/${descriptor}`;
    const held = { path, [Symbol.dispose]: () => closeSync(descriptor) };
    if (readlinkSync(path) === folder) return held;
    held[Symbol.dispose]();
  } catch {
    // Moved or unreadable: nothing runs there by its usual path.
  }
  return undefined;
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
