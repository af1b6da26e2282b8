import { existsSync, globSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../api/log.ts';
import { childEnvironment } from '../core/processes/environment.ts';
import { runProcess } from '../core/processes/process.ts';
import { backupsOf, dailyCopies } from './database-backups.ts';

/** Days whose copies are kept. */
const kept = 7;
/** Milliseconds between two looks at what day it is. */
const lookEvery = 3_600_000;
/** Milliseconds that a copy may take. */
const longest = 600_000;

/** As another process, so that a large database holds nobody up. */
const program = `
const [from, to] = process.argv.slice(1);
const { DatabaseSync } = require('node:sqlite');
new DatabaseSync(from, { readOnly: true, timeout: 60_000 }).prepare('vacuum into ?').run(to);`;

/** Copies the database once a day into the home's backups, and forgets copies of more than a week. Closing ends it. */
export function copyDaily(path: string, log: Pick<Logger, 'warn'>, now = () => new Date()): AsyncDisposable {
  const closing = new AbortController();
  const look = async (): Promise<void> => {
    const folder = backupsOf(path);
    const today = join(folder, `daily-${now().toISOString().slice(0, 10)}.db`);
    if (!existsSync(path) || existsSync(today)) return;
    const unfinished = `${today}.unfinished`;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Of other days too: whoever made them was killed.
    for (const old of globSync('daily-*.db.unfinished', { cwd: folder }))
      rmSync(join(folder, old), { force: true });
    const { exitCode, stderr } = await runProcess({
      argv: [process.execPath, '--no-warnings', '-e', program, path, unfinished],
      cwd: folder,
      environment: childEnvironment(),
      signal: closing.signal,
      timeout: longest,
    });
    if (closing.signal.aborted) return rmSync(unfinished, { force: true });
    if (exitCode !== 0) return log.warn(`the database was not copied today: ${stderr.trim().slice(-300)}`);
    renameSync(unfinished, today);
    const copies = globSync(dailyCopies, { cwd: folder }).sort();
    for (const old of copies.slice(0, -kept)) rmSync(join(folder, old), { force: true });
  };
  let looking = Promise.resolve();
  const lookNow = (): void => {
    looking = looking
      .then(look)
      .catch((cause: unknown) => log.warn('the database was not copied today', { cause }));
  };
  lookNow();
  const timer = setInterval(lookNow, lookEvery).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      closing.abort();
      await looking;
    },
  };
}
