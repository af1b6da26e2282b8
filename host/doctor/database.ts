import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Check } from '../api/diagnostic.ts';
import { runThread } from '../core/async/thread.ts';
import { isOnPostgres, writtenDatabase, writtenState } from '../compose/home-database.ts';
import { unfinishedSwitch } from '../compose/move/put-aside.ts';
import { docsPage } from '../core/docs-page.ts';
import { messageOf } from '../core/errors.ts';
import { packageRoot } from '../core/files/paths.ts';
import { pegboard } from '../core/own-command.ts';
import { requireSessionPooling } from '../core/postgres/session-pooling.ts';
import { failed, ok, warning } from '../status/check.ts';
import type { DamageAnswer } from '../store/database/damage-worker.ts';

/** About a second for some hundred megabytes. */
const timeoutMs = 600_000;
/** Megabytes of JavaScript objects, of which there are hardly any. */
const memory = 64;
/** In the built package this file may be anywhere, but the thread's file is at this path. */
const module = `host/store/database/damage-worker${extname(import.meta.filename)}`;

/**
 * Reads all of a file, in a thread: a host goes on meanwhile. Of a database on a server, only whether it can be used.
 * `resolve` finds variables.
 */
export async function checkDatabase(
  home: string,
  resolve: (name: string) => string | undefined,
  signal: AbortSignal,
): Promise<Check> {
  const check =
    writtenState(home) === undefined ? await checkFile(home, signal) : await checkServer(home, resolve);
  return check.status === 'ok' ? checkMove(check, home, writtenDatabase(home, resolve).name) : check;
}

/** A move that was interrupted at its end has left what was there before where other commands may take it for current. */
function checkMove(check: Check, home: string, name: string): Check {
  const left = unfinishedSwitch(home, name);
  if (!left) return check;
  const from = `a move from ${left.from} was interrupted before it had put aside what was there`;
  return warning(check.name, `${check.message}; ${from}`, `run the same \`${pegboard} move\` again`);
}

async function checkServer(home: string, resolve: (name: string) => string | undefined): Promise<Check> {
  try {
    await using database = writtenDatabase(home, resolve);
    await database.open();
    if (isOnPostgres(database)) await requireSessionPooling(await database.pool());
    return ok('database', `${database.name}; its damage and backups are the matter of its server (pg_dump)`);
  } catch (cause) {
    return failed(
      'database',
      messageOf(cause),
      `nothing that is stored can be used until then; ${docsPage('many-hosts.md')} has more`,
    );
  }
}

async function checkFile(home: string, signal: AbortSignal): Promise<Check> {
  const [{ databaseFileOf }, { newestBackup }, { newestOf, sqliteMigrations }] = await Promise.all([
    import('../store/database/file.ts'),
    import('../store/database/backups.ts'),
    import('../store/database/tables/migrations.ts'),
  ]);
  const path = databaseFileOf(home);
  if (!existsSync(path)) return ok('database', 'nothing is stored yet');
  const answer = await damageIn(path, signal);
  if ('unreadable' in answer)
    return failed('database', `${path} can't be read (${answer.unreadable})`, 'check its permissions');
  if (answer.damage === undefined) return ok('database', path);
  const backup = newestBackup(path, newestOf(sqliteMigrations));
  return failed(
    'database',
    `${path} is damaged (${answer.damage})`,
    backup === undefined
      ? `${pegboard} restore FOLDER, if there is a backup elsewhere; ${docsPage('data.md')} has more`
      : `${pegboard} start puts the backup of ${backup.at} in its place and keeps the damaged file`,
  );
}

async function damageIn(path: string, signal: AbortSignal): Promise<DamageAnswer> {
  try {
    return await runThread(pathToFileURL(join(packageRoot, module)), path, { signal, timeoutMs, memory });
  } catch (cause) {
    if (signal.aborted) throw cause;
    return { unreadable: messageOf(cause) };
  }
}
