import { closeSync, constants, fstatSync, mkdirSync, openSync, readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { openFolder } from 'pegboard/files';
import { notAFolder, type Descent, type OpenPathOptions } from './descent.ts';
import type { RootedPath } from './roots.ts';

/** Opens a descriptor that identifies a file without reading it. Node has no constant for it. */
const O_PATH = 0o10000000;
const folderFlags = O_PATH | constants.O_DIRECTORY;
const entryFlags = O_PATH | constants.O_NOFOLLOW;

/** A path that refers to what a descriptor has open, wherever it is moved. */
const descriptorPath = (descriptor: number): string => `/proc/self/fd/${descriptor}`;

/** Walks down one name at a time, each resolved in the folder opened before it. */
export function walkByDescriptor(
  place: RootedPath,
  { makeFolders = false, linkItself = false }: OpenPathOptions,
): Descent {
  using opened = new DisposableStack();
  const hold = (path: string, flags: number): number => opened.adopt(openSync(path, flags), closeSync);

  const names = place.relative === '' ? ['.'] : place.relative.split(sep);
  let path = place.root.real;
  let folder = hold(opened.use(openFolder(path)).path, folderFlags);
  for (const [depth, name] of names.entries()) {
    const rest = names.slice(depth + 1);
    const at = `${descriptorPath(folder)}/${name}`;
    const entry =
      whereThere(() => hold(at, entryFlags)) ?? (makeFolders && rest.length > 0 ? make(at) : undefined);
    if (entry === undefined) {
      const missing = { name: rest.at(-1) ?? name, path: join(path, name, ...rest) };
      return found(opened, rest.length === 0 ? { ...missing, folder } : missing);
    }
    const isLink = fstatSync(entry).isSymbolicLink();
    if (isLink && !(linkItself && rest.length === 0))
      return { link: resolve(path, readlinkSync(at), ...rest) };
    if (rest.length === 0) return found(opened, { folder, name, path: join(path, name), entry });
    if (!fstatSync(entry).isDirectory()) throw notAFolder(join(path, name));
    path = join(path, name);
    folder = entry;
  }
  throw new Error('a path has at least one name');

  /** Not recursive: in a folder that was deleted in the meantime, Node would retry forever. */
  function make(at: string): number {
    try {
      mkdirSync(at);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    }
    return hold(at, entryFlags);
  }
}

function found(
  opened: DisposableStack,
  place: {
    readonly path: string;
    readonly name: string;
    readonly folder?: number;
    readonly entry?: number;
  },
): Descent {
  const { folder, name, path, entry } = place;
  const stack = opened.move();
  const self = entry === undefined ? path : descriptorPath(entry);
  return {
    path,
    folder: folder === undefined ? undefined : descriptorPath(folder),
    name,
    self,
    stats: entry === undefined ? undefined : fstatSync(entry, { bigint: true }),
    open: (flags) => open(self, flags),
    [Symbol.dispose]: () => stack.dispose(),
  };
}

function whereThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
}
