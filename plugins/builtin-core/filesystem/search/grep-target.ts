import { accessSync, constants, lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PegboardError } from 'pegboard';
import { isOfType } from '../file-types.ts';
import { checkReadable, maxFileBytes, toMegabytes } from '../files.ts';
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
  /** Others that can't be searched, by the reason. */
  readonly skipped: ReadonlyMap<string, readonly string[]>;
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
  if (reached.folder !== undefined) accessSync(`${reached.folder}/${reached.name}`, constants.R_OK);
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
    skipped: new Map(),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

async function openFolder(roots: Roots, path: string, { type, signal }: TargetOptions): Promise<GrepTarget> {
  using stack = new DisposableStack();
  const folder = stack.use(searchFolder(roots, path));
  const files: string[] = [];
  const skipped = new Map<string, string[]>();
  let secret = 0;
  for await (const { path: way, kind, at, ignored } of folder.entries(signal)) {
    if (kind !== 'file' || ignored || (type !== undefined && !isOfType(way, type))) continue;
    if (secretReason(roots, join(folder.path, way)) !== undefined) {
      secret++;
      continue;
    }
    const why = whyNotSearched(at);
    if (why === undefined) files.push(way);
    else skipped.set(why, [...(skipped.get(why) ?? []), way]);
  }
  const held = stack.move();
  return { folder, files, secret, skipped, [Symbol.dispose]: () => held.dispose() };
}

function whyNotSearched(at: string): string | undefined {
  try {
    if (lstatSync(at).size > maxFileBytes) return `larger than ${toMegabytes(maxFileBytes)} MB`;
    accessSync(at, constants.R_OK);
    return undefined;
  } catch {
    return 'not readable';
  }
}
