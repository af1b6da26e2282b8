import {
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  type BigIntStats,
} from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { PegboardError } from 'pegboard';
import type { Descent, OpenPathOptions } from './descent.ts';
import { pathOf, type RootedPath, type Roots } from './roots.ts';

/**
 * For systems without /proc: resolves the containing folder, checks it, and compares the opened file with the checked
 * one. A replacement in between is detected and refused.
 */
export function walkByPath(
  roots: Roots,
  place: RootedPath,
  { makeFolders = false, linkItself = false }: OpenPathOptions,
): Descent {
  const target = pathOf(place);
  const parent = place.relative === '' ? target : dirname(target);
  const name = place.relative === '' ? '.' : basename(target);
  let there = parent;
  while (!existsSync(there)) there = dirname(there);
  const real = realpathSync(there);
  roots.place(real);
  const folder = join(real, relative(there, parent));
  if (makeFolders) mkdirSync(folder, { recursive: true });

  const path = join(folder, name);
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats?.isSymbolicLink() && !linkItself) return { link: resolve(folder, readlinkSync(path)) };
  return {
    path,
    folder,
    name,
    self: path,
    stats,
    open: (flags) => openSame(path, flags, stats),
    [Symbol.dispose]: () => {},
  };
}

async function openSame(path: string, flags: number, seen: BigIntStats | undefined): Promise<FileHandle> {
  const handle = await open(path, flags | constants.O_NOFOLLOW);
  const now = await handle.stat({ bigint: true });
  if (now.ino === seen?.ino && now.dev === seen.dev) return handle;
  await handle.close();
  throw new PegboardError('PEG_DENIED', `${path} was replaced while it was being opened.`);
}
