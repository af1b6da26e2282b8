import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PegboardError } from '../../core/errors.ts';
import { withRealPath } from '../../core/files/open-folder.ts';
import { makePrivateFolder } from '../../core/files/private-data.ts';
import { isAbandoned, thisProcess } from '../../core/processes/owner.ts';

/** A holder on another machine that hasn't released the lock after this time counts as dead. */
const staleAfterMs = 10_000;
const giveUpAfterMs = 15_000;

/**
 * Runs `work` while holding `path`.lock, and creates its folder if necessary. Throws PEG_INTERNAL when the lock isn't
 * free within 15 s.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  const until = performance.now() + giveUpAfterMs;
  makePrivateFolder(dirname(path));
  while (!(await tryCreate(lock))) {
    if (await dropStaleLock(lock)) continue;
    if (performance.now() > until)
      throw new PegboardError(
        'PEG_INTERNAL',
        `${path} is locked by another process: if none runs, delete ${lock}.`,
      );
    else await delay(5 + Math.random() * 20);
  }
  try {
    return await work();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Removes a lock whose owner has died. False: it is held, or gone. */
export async function dropStaleLock(lock: string): Promise<boolean> {
  if (!isStale(lock)) return false;
  await breakLock(lock);
  return true;
}

async function tryCreate(lock: string): Promise<boolean> {
  let created = false;
  try {
    await using file = await open(lock, 'wx', 0o600);
    created = true;
    await file.writeFile(thisProcess);
    return true;
  } catch (cause) {
    if (!created && (cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // A full disk may have room for the name alone.
    if (created) await rm(lock, { force: true });
    throw withRealPath(cause, lock);
  }
}

/** Whether its owner was killed, even before it could write its name. */
function isStale(lock: string): boolean {
  try {
    return isAbandoned(readFileSync(lock, 'utf8'), statSync(lock).mtime.toISOString(), staleAfterMs);
  } catch {
    return false;
  }
}

/** When two processes find it stale at once, the second one moves the first one's new lock away, and puts it back. */
async function breakLock(lock: string): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  try {
    await rename(lock, aside);
    if (!isStale(aside)) await link(aside, lock);
  } catch (cause) {
    // Another process was first, or there are no links here: the lock then counts as never held.
    if (!['ENOENT', 'EEXIST', 'EPERM', 'ENOTSUP'].includes((cause as NodeJS.ErrnoException).code ?? ''))
      throw cause;
  } finally {
    await rm(aside, { force: true });
  }
}
