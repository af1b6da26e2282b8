import { sep } from 'node:path';
import { join } from 'node:path/posix';
import { rulesAbove } from './ignore-rules.ts';
import { missing } from '../files.ts';
import { notAFolder } from '../access/descent.ts';
import { openPath } from '../access/open-path.ts';
import type { Roots } from '../access/roots.ts';
import { isDenied, secretReason } from '../access/secret-files.ts';
import type { WalkedEntry } from '../access/entries.ts';
import { walkTree } from '../access/walk.ts';

/** A folder to search, held open. */
export interface SearchFolder extends Disposable {
  /** Real path. */
  readonly path: string;
  /** The open folder, as a path for system calls. */
  readonly self: string;
  /** The path by which other tools can open an entry: relative to the start of relative paths, or absolute elsewhere. */
  nameOf(path: string): string;
  /** Everything below it except .git, Pegboard's own data and what rules deny. */
  entries(signal: AbortSignal): AsyncGenerator<WalkedEntry>;
}

/**
 * `deniedByRules` is that of the call that lists it. Throws PEG_TOOL_FAILED when the folder doesn't exist and PEG_DENIED when it
 * must not be searched.
 */
export function searchFolder(
  roots: Roots,
  path: string,
  deniedByRules: (path: string) => boolean = () => false,
): SearchFolder {
  using stack = new DisposableStack();
  const reached = stack.use(openPath(roots, path));
  secretReason(roots, reached.path);
  if (!reached.stats) throw missing(reached);
  if (!reached.stats.isDirectory()) throw notAFolder(reached.path);
  const { root, relative: way } = roots.place(reached.path);
  const from = way.split(sep).join('/');
  const isLeftOut = (path: string): boolean => isDenied(roots, path) || deniedByRules(path);
  const options = {
    from,
    rules: rulesAbove(root.real, from, roots.env),
    skip: (path: string) => isGitFolder(path) || isLeftOut(join(reached.path, path)),
  };
  const held = stack.move();
  return {
    path: reached.path,
    self: reached.self,
    nameOf: (path) => (root === roots.base ? join(from, path) : `${reached.path}/${path}`),
    entries: (signal) => walkTree(reached.self, { ...options, signal }),
    [Symbol.dispose]: () => held.dispose(),
  };
}

const isGitFolder = (way: string): boolean => way === '.git' || way.endsWith('/.git');
