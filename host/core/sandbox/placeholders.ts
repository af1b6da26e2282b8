import { mkdirSync, readdirSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { draftName, isDraft, removeAbandonedDrafts } from '../files/draft.ts';

/**
 * Names that editors and shells use at once, while the sandbox is still running: a repository (`HEAD` makes a bare
 * one), and settings. A workspace without one of these gets an empty folder of that name, because a mount needs a
 * target, and a read-only empty folder is mounted on it. Placeholders are visible to everybody who watches the folder,
 * so files under all other guarded names are renamed afterwards instead.
 */
export const blockedNames = ['.git', 'HEAD', '.vscode', '.idea'] as const;

export interface Placeholder extends Disposable {
  readonly path: string;
}

/**
 * Creates an empty folder of this name, or shares one that another sandbox has created. Undefined when something else
 * is there, or nothing can be created. The folder is removed with its last user: it contains a file for each.
 */
export function createPlaceholder(path: string): Placeholder | undefined {
  const mark = join(path, draftName());
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (!makeFolder(path) && !isPlaceholder(path)) return undefined;
    try {
      writeFileSync(mark, '', { flag: 'wx', mode: 0o600 });
      return { path, [Symbol.dispose]: () => release(path, mark) };
    } catch (cause) {
      // Its last user removed it in between.
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') return undefined;
    }
  }
  return undefined;
}

const maxAttempts = 10;

/** Whether it contains only user files of placeholders. An empty folder is not a placeholder. */
export function isPlaceholder(path: string): boolean {
  const names = namesIn(path);
  return names.length > 0 && names.every(isDraft);
}

function release(path: string, mark: string): void {
  rmSync(mark, { force: true });
  // Left by processes that were killed.
  removeAbandonedDrafts(path);
  try {
    rmdirSync(path);
  } catch {
    // Somebody else still uses it.
  }
}

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
