import { mkdirSync, readdirSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { draftName, isAbandonedDraft, isDraft } from '../files/draft.ts';

/**
 * What editors and shells take up by themselves, while the sandbox is still open: a repository (`HEAD` makes a bare one),
 * and settings. A folder that is worked in and has none of that name gets an empty one meanwhile, on which another empty
 * folder is mounted that nobody can write to: a mount needs a place. Each of these is seen by whoever watches the folder,
 * so what is made under all other guarded names is put aside afterwards.
 */
export const blockedNames = ['.git', 'HEAD', '.vscode', '.idea'] as const;

export interface HeldPlaceholder extends Disposable {
  readonly path: string;
}

/**
 * Makes an empty folder of this name, or takes part in one that another sandbox has made; undefined where something else
 * is, or nothing can be made. It goes when everybody has let go of it: a folder with the mark of somebody else in it
 * can't be removed.
 */
export function holdPlaceholder(path: string): HeldPlaceholder | undefined {
  const mark = join(path, draftName());
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (!makeFolder(path) && !isPlaceholder(path)) return undefined;
    try {
      writeFileSync(mark, '', { flag: 'wx', mode: 0o600 });
      return { path, [Symbol.dispose]: () => release(path, mark) };
    } catch (cause) {
      // The last one who held it removed it in between.
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') return undefined;
    }
  }
  return undefined;
}

const maxAttempts = 10;

/** Does it hold nothing but marks? An empty folder of somebody's is none. */
export function isPlaceholder(path: string): boolean {
  const names = namesIn(path);
  return names.length > 0 && names.every(isDraft);
}

function release(path: string, mark: string): void {
  rmSync(mark, { force: true });
  for (const name of namesIn(path)) {
    const left = join(path, name);
    // Of processes that were killed.
    if (isAbandonedDraft(name, () => writtenAt(left))) rmSync(left, { force: true });
  }
  try {
    rmdirSync(path);
  } catch {
    // Somebody else holds it.
  }
}

const writtenAt = (path: string): string =>
  (statSync(path, { throwIfNoEntry: false })?.mtime ?? new Date()).toISOString();

function makeFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch {
    return false;
  }
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
