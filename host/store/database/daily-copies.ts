import { existsSync, globSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../api/log.ts';
import { makePrivateFile, makePrivateFolder } from '../../core/files/private-data.ts';
import { backupsOf, dailyCopies } from './backups.ts';
import { runSql } from './run-sql.ts';

/** Days whose copies are kept. */
const maxCopies = 7;
/** Milliseconds between two checks of the date. */
const checkIntervalMs = 3_600_000;

/** Copies the database into the home's backups once a day, and deletes copies older than a week. Closing ends it. */
export function copyDaily(path: string, log: Pick<Logger, 'warn'>, now = () => new Date()): AsyncDisposable {
  const closing = new AbortController();
  const look = async (): Promise<void> => {
    const folder = backupsOf(path);
    const today = join(folder, `daily-${now().toISOString().slice(0, 10)}.db`);
    if (!existsSync(path) || existsSync(today)) return;
    const unfinished = `${today}.unfinished`;
    makePrivateFolder(folder);
    // Also those of other days, whose process was killed.
    for (const old of globSync('daily-*.db.unfinished', { cwd: folder }))
      rmSync(join(folder, old), { force: true });
    // SQLite would create a file that others can read.
    makePrivateFile(unfinished);
    try {
      await runSql(path, [{ sql: 'vacuum into ?', parameters: [unfinished] }], closing.signal);
    } finally {
      if (closing.signal.aborted) rmSync(unfinished, { force: true });
    }
    renameSync(unfinished, today);
    const copies = globSync(dailyCopies, { cwd: folder }).sort();
    for (const old of copies.slice(0, -maxCopies)) rmSync(join(folder, old), { force: true });
  };
  let looking = Promise.resolve();
  const lookNow = (): void => {
    looking = looking.then(look).catch((cause: unknown) => {
      if (!closing.signal.aborted) log.warn('the database was not copied today', { cause });
    });
  };
  lookNow();
  const timer = setInterval(lookNow, checkIntervalMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      closing.abort();
      await looking;
    },
  };
}
