import { open, rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { PegboardError } from '../core/errors.ts';

/** A holder that hasn't let go after this long has died. */
const staleAfterMs = 10_000;
const giveUpAfterMs = 15_000;

/** Runs `work` while no other process holds `path`.lock. Throws PEG_INTERNAL when it isn't to be had within 15 s. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const lock = `${path}.lock`;
  const until = Date.now() + giveUpAfterMs;
  while (!(await tryCreate(lock))) {
    if (await isStale(lock)) await rm(lock, { force: true });
    else if (Date.now() > until)
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

async function tryCreate(lock: string): Promise<boolean> {
  try {
    await (await open(lock, 'wx', 0o600)).close();
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw cause;
  }
}

async function isStale(lock: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(lock)).mtimeMs > staleAfterMs;
  } catch {
    return false;
  }
}
