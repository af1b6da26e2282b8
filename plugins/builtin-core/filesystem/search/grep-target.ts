import { basename, dirname, join } from 'node:path';
import { PegboardError } from 'pegboard';
import { isOfType } from '../file-types.ts';
import { checkReadable } from '../files.ts';
import { openPath } from '../access/open-path.ts';
import type { Roots } from '../access/roots.ts';
import { searchFolder, type SearchFolder } from './search-folder.ts';
import { secretReason } from '../access/secret-files.ts';

/** The files to search, held open. */
export interface GrepTarget extends Disposable {
  readonly folder: SearchFolder;
  /** Relative to the folder, sorted by path. */
  readonly files: readonly string[];
  /** Number of files that were left out because they may contain secrets. */
  readonly secret: number;
}

export interface TargetOptions {
  readonly type: string | undefined;
  readonly signal: AbortSignal;
}

/** The files below a folder, or the one file at `path`. Throws PEG_DENIED for a file that may contain secrets. */
export async function openTarget(roots: Roots, path: string, options: TargetOptions): Promise<GrepTarget> {
  using reached = openPath(roots, path);
  if (!reached.stats || reached.stats.isDirectory()) return openFolder(roots, path, options);
  checkReadable(reached.path, reached.stats);
  if (secretReason(roots, reached.path) !== undefined) {
    throw new PegboardError(
      'PEG_DENIED',
      `${reached.path} may hold secrets: grep doesn't search it. read shows it when a person agrees.`,
    );
  }
  const folder = searchFolder(roots, dirname(reached.path));
  return {
    folder,
    files: [basename(reached.path)],
    secret: 0,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

async function openFolder(roots: Roots, path: string, { type, signal }: TargetOptions): Promise<GrepTarget> {
  using stack = new DisposableStack();
  const folder = stack.use(searchFolder(roots, path));
  const files: string[] = [];
  let secret = 0;
  for await (const { path: way, kind, ignored } of folder.entries(signal)) {
    if (kind !== 'file' || ignored || (type !== undefined && !isOfType(way, type))) continue;
    if (secretReason(roots, join(folder.path, way)) === undefined) files.push(way);
    else secret++;
  }
  const held = stack.move();
  return { folder, files, secret, [Symbol.dispose]: () => held.dispose() };
}
