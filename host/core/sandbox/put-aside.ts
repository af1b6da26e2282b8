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

/** What `putAside` gives to a name: nothing runs or loads it. */
const suffix = '.made-in-sandbox';

/**
 * Renames what a sandbox has made under guarded names in folders that were there before it, and puts back links that it
 * has replaced. Returns what it renamed, as it is called now. Linux only: paths are reached by descriptors, since another
 * sandbox may be swapping folders for links meanwhile.
 */
export function putAside(
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

/** Nobody can set back when a folder was changed. The kernel's clock for files goes in steps of up to 10 ms. */
const hasChangedSince = (folder: string, at: number): boolean =>
  (lstatSync(folder, { throwIfNoEntry: false })?.ctimeMs ?? 0) > at - clockStepMs;

const clockStepMs = 100;

/** Its new name; none when it is gone meanwhile. */
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

/** Undefined when it is gone, or no longer reached by its path. */
function hold(folder: string): ({ readonly path: string } & Disposable) | undefined {
  try {
    const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    const path = `/proc/self/fd/${descriptor}`;
    const held = { path, [Symbol.dispose]: () => closeSync(descriptor) };
    if (readlinkSync(path) === folder) return held;
    held[Symbol.dispose]();
  } catch {
    // Moved away, or made unreadable: nothing runs there by its usual path.
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
