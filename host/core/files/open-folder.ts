import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import { dirname, join, parse, sep } from 'node:path';
import { PegboardError } from '../errors.ts';
import { systemPath } from '../platform/byte-names.ts';
import { opensByDescriptor } from '../platform/file-access.ts';

/** An open folder. Dispose it. */
export interface OpenFolder extends Disposable {
  /** For system calls: keeps referring to this folder even if its path is replaced. Without /proc, the plain path. */
  readonly path: string;
}

export interface OpenFolderOptions {
  /** Creates missing folders. */
  readonly make?: boolean;
}

/** Opens a descriptor that identifies a file without reading it. Node has no constant for it. */
const O_PATH = 0o10000000;
const held = (descriptor: number): string => `/proc/self/fd/${descriptor}`;

/**
 * Walks down from the root of the file system one name at a time, following no symbolic link. `path` is absolute and
 * real. Throws PEG_DENIED when one of its names is a link, ENOENT when one is missing.
 */
export function openFolder(path: string, { make = false }: OpenFolderOptions = {}): OpenFolder {
  return opensByDescriptor() ? byDescriptor(path, make) : byPath(path, make);
}

/**
 * Makes an error of the file system name the file that was meant, instead of its draft or the descriptor of its folder.
 * Call it while that folder is open.
 */
export function withRealPath(cause: unknown, path: string): unknown {
  if (!(cause instanceof Error) || codeOf(cause) === undefined) return cause;
  const { path: said } = cause as NodeJS.ErrnoException;
  const real = namedPath(path);
  const message = said === undefined ? `${cause.message} '${real}'` : cause.message.replaceAll(said, real);
  return Object.assign(cause, { path: real, message });
}

function namedPath(path: string): string {
  const [, folder, rest = ''] = /^(\/proc\/self\/fd\/\d+)(\/[^]*)?$/.exec(path) ?? [];
  if (folder === undefined) return path;
  try {
    return join(readlinkSync(folder), rest);
  } catch {
    return rest.slice(1);
  }
}

/**
 * Opens the folder `name` of the open folder `parent`. Undefined when it no longer exists, can't be opened or is a
 * symbolic link.
 */
export function openSubfolder(parent: string, name: string): OpenFolder | undefined {
  const path = `${parent}/${name}`;
  try {
    if (!opensByDescriptor())
      return lstatSync(systemPath(path)).isDirectory() ? { path, [Symbol.dispose]: () => {} } : undefined;
    const descriptor = openSync(systemPath(path), O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    return { path: held(descriptor), [Symbol.dispose]: () => closeSync(descriptor) };
  } catch (cause) {
    if (['ENOENT', 'EACCES', 'ENOTDIR', 'ELOOP'].includes(codeOf(cause) ?? '')) return undefined;
    throw cause;
  }
}

function byDescriptor(path: string, make: boolean): OpenFolder {
  const flags = O_PATH | constants.O_NOFOLLOW;
  using stack = new DisposableStack();
  const hold = (at: string): number => stack.adopt(openSync(systemPath(at), flags), closeSync);
  let folder = hold('/');
  let here = '/';
  for (const name of namesOf(path)) {
    here = join(here, name);
    const at = `${held(folder)}/${name}`;
    try {
      folder = found(() => hold(at), at, make);
    } catch (cause) {
      throw withRealPath(cause, here);
    }
    checkFolder(here, fstatSync(folder));
  }
  const kept = stack.move();
  return { path: held(folder), [Symbol.dispose]: () => kept.dispose() };
}

function byPath(path: string, make: boolean): OpenFolder {
  let here = parse(path).root;
  for (const name of namesOf(path)) {
    here = join(here, name);
    checkFolder(
      here,
      found(() => lstatSync(systemPath(here)), here, make),
    );
  }
  return { path: here, [Symbol.dispose]: () => {} };
}

const namesOf = (path: string): readonly string[] =>
  path.slice(parse(path).root.length).split(sep).filter(Boolean);

function found<T>(look: () => T, path: string, make: boolean): T {
  try {
    return look();
  } catch (cause) {
    if (!make || codeOf(cause) !== 'ENOENT') throw cause;
  }
  try {
    mkdirSync(systemPath(path));
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
  }
  return look();
}

const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException).code;

function checkFolder(path: string, stats: Stats): void {
  if (stats.isDirectory()) return;
  const what = stats.isSymbolicLink() ? 'a symbolic link' : 'not a folder';
  throw new PegboardError(
    'PEG_DENIED',
    `${path} is ${what}, but must be a real folder: links are not followed there. Put a folder in its place, in ${dirname(path)}.`,
  );
}
