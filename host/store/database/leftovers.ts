import { readFileSync, statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../api/log.ts';
import { isAbandonedDraft } from '../../core/files/draft.ts';
import { isAbandoned } from '../../core/processes/owner.ts';
import { isWithin } from '../../core/files/paths.ts';
import { dropStaleLock } from '../files/file-lock.ts';

/** Nobody writes through Pegboard there, and they may hold hundreds of thousands of files. */
const passedOver = new Set(['node_modules', '.git']);
/** In data/ alone: elsewhere a name proves nothing. */
const isLock = /\.(json|db)\.lock$/;
const movedAway = /\.(json|db)\.lock\.[0-9a-f-]{36}$/;

/**
 * Removes from a home, in its own time, the files that processes left unfinished when they were killed, and the locks
 * that they held. Closing ends it; what is left is the next one's.
 */
export function removeLeftovers(home: string, log: Pick<Logger, 'warn'>): AsyncDisposable {
  const closing = new AbortController();
  const { signal } = closing;
  const data = join(home, 'data');
  const enter = async (folder: string): Promise<void> => {
    // A folder that is gone or unreadable has nothing for us.
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (signal.aborted) return;
      const path = join(folder, entry.name);
      const { name } = entry;
      if (entry.isDirectory() && !passedOver.has(name)) await enter(path);
      if (!entry.isFile()) continue;
      const isOurs = isWithin(data, path);
      if (isDraftLeft(path, name) || (isOurs && isMovedLockLeft(path, name))) await rm(path, { force: true });
      if (isOurs && isLock.test(name)) await dropStaleLock(path);
    }
  };
  const done = enter(home).catch((cause: unknown) =>
    log.warn('what was left over was not removed', { cause }),
  );
  return {
    async [Symbol.asyncDispose]() {
      closing.abort();
      await done;
    },
  };
}

const isDraftLeft = (path: string, name: string): boolean =>
  isLeft(() => isAbandonedDraft(name, () => writtenAt(path)));

/** A lock that a process moved away to take it over, before it was killed: it holds its owner's name. */
const isMovedLockLeft = (path: string, name: string): boolean =>
  movedAway.test(name) && isLeft(() => isAbandoned(readFileSync(path, 'utf8'), writtenAt(path)));

const writtenAt = (path: string): string => statSync(path).mtime.toISOString();

/** Another process may have removed the file in the meantime. */
function isLeft(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}
