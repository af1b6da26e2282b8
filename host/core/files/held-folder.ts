import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, type Stats } from 'node:fs';
import { dirname, join, parse, sep } from 'node:path';
import { PegboardError } from '../errors.ts';

/** A folder that is held open. Dispose it. */
export interface HeldFolder extends Disposable {
  /** For system calls: keeps meaning this very folder, whatever is put in its place. Without /proc, where it lies. */
  readonly path: string;
}

export interface HoldOptions {
  /** Make what is missing. */
  readonly make?: boolean;
}

/** A descriptor that names a file without opening it for reading. Node has no constant for it. */
const O_PATH = 0o10000000;
const held = (descriptor: number): string => `/proc/self/fd/${descriptor}`;

/**
 * Goes down from the root of the file system one name at a time and follows no symbolic link. `path` is absolute and
 * real. Throws PEG_DENIED where one of its names is a link, ENOENT where one is missing.
 */
export function holdFolder(path: string, { make = false }: HoldOptions = {}): HeldFolder {
  return process.platform === 'linux' ? byDescriptor(path, make) : byPath(path, make);
}

function byDescriptor(path: string, make: boolean): HeldFolder {
  const flags = O_PATH | constants.O_NOFOLLOW;
  using stack = new DisposableStack();
  const hold = (at: string): number => stack.adopt(openSync(at, flags), closeSync);
  let folder = hold('/');
  let here = '/';
  for (const name of namesOf(path)) {
    here = join(here, name);
    const at = `${held(folder)}/${name}`;
    folder = found(() => hold(at), at, make);
    checkFolder(here, fstatSync(folder));
  }
  const kept = stack.move();
  return { path: held(folder), [Symbol.dispose]: () => kept.dispose() };
}

function byPath(path: string, make: boolean): HeldFolder {
  let here = parse(path).root;
  for (const name of namesOf(path)) {
    here = join(here, name);
    checkFolder(
      here,
      found(() => lstatSync(here), here, make),
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
    mkdirSync(path);
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause;
  }
  return look();
}

const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException).code;

function checkFolder(path: string, stats: Stats): void {
  if (stats.isDirectory()) return;
  const what = stats.isSymbolicLink() ? 'a symbolic link' : 'no folder';
  throw new PegboardError(
    'PEG_DENIED',
    `${path} is ${what}, where a real folder has to be: links are not followed there. Put a folder in its place, in ${dirname(path)}.`,
  );
}
