import { readFileSync, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../api/log.ts';
import { isAbandonedDraft } from '../../core/files/draft.ts';
import { isAbandoned } from '../../core/processes/owner.ts';
import { isWithin } from '../../core/files/paths.ts';
import { dropStaleLock } from '../files/file-lock.ts';

/** Folders that are skipped: Pegboard doesn't write there, and they may contain hundreds of thousands of files. */
const passedOver = new Set(['node_modules', '.git']);
/** Only in data/: elsewhere a name proves nothing. */
const isLock = /\.(json|db|lock)\.lock$/;
const movedAway = /\.(json|db|lock)\.lock\.[0-9a-f-]{36}$/;

/**
 * Removes in the background the unfinished files and locks of killed processes from a home. Closing ends it; the next
 * host removes the rest.
 */
export function removeLeftovers(home: string, log: Pick<Logger, 'warn'>): AsyncDisposable {
  const closing = new AbortController();
  const { signal } = closing;
  const data = join(home, 'data');
  const enter = async (folder: string): Promise<void> => {
    // A missing or unreadable folder has nothing to remove.
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (signal.aborted) return;
      const path = join(folder, entry.name);
      const { name } = entry;
      if (entry.isDirectory() && !passedOver.has(name)) await enter(path);
      if (!entry.isFile() && !entry.isSymbolicLink()) continue;
      const isOurs = isWithin(data, path);
      if (isAbandonedDraft(path) || (isOurs && isMovedLockLeft(path, name))) await rm(path, { force: true });
      if (isOurs && isLock.test(name)) await dropStaleLock(path);
    }
  };
  const done = enter(home).catch((cause: unknown) =>
    log.warn('files of killed processes were not removed', { cause }),
  );
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await done;
    },
  };
}

/** A lock that a process moved away to take it over, before it was killed. It contains the owner's name. */
const isMovedLockLeft = (path: string, name: string): boolean =>
  movedAway.test(name) &&
  isLeft(() => isAbandoned(readFileSync(path, 'utf8'), statSync(path).mtime.toISOString()));

/** Another process may have removed the file in the meantime. */
function isLeft(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}
