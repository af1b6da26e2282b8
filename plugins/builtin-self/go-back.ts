import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DeployPlan } from './deploy-plan.ts';
import { failureOfCommand, say } from './supervised-host.ts';

const identity = [
  '-c',
  'user.name=Pegboard',
  '-c',
  'user.email=agent@pegboard.local',
  '-c',
  'core.hooksPath=/dev/null',
];

/** Seconds: whatever the host's own commands may take. */
const gitTimeoutSeconds = 20;

/** The files of the good version, as a new commit: nothing of what was tried is lost. Returns why they are not there. */
export function restoreFiles(plan: DeployPlan): string | undefined {
  const { good, tag } = plan;
  const git = (...args: readonly string[]): string | undefined =>
    failureOfCommand(`git ${args[0]}`, ['git', ...identity, ...args], {
      ...plan,
      commandLimit: gitTimeoutSeconds,
    });
  const restore = (): string | undefined => git('read-tree', '--reset', '-u', good);
  let failed = restore();
  if (failed !== undefined) {
    // Of a git that was killed: nobody else works here now.
    rmSync(join(plan.reserve, '../index.lock'), { force: true });
    failed = restore();
  }
  if (failed !== undefined) return failed;
  const message = `Back to ${tag}: the version after it was not well`;
  const uncommitted = git('diff', '--quiet', '--cached', 'HEAD') && git('commit', '-q', '-m', message);
  // The files are what counts.
  if (uncommitted !== undefined) say(uncommitted);
  return undefined;
}

const databaseOf = (home: string): string => join(home, 'data/pegboard.db');

/** Undefined where there is no database, or none that can be read. */
export function versionOf(home: string): number | undefined {
  if (!existsSync(databaseOf(home))) return undefined;
  try {
    using database = new DatabaseSync(databaseOf(home), { readOnly: true });
    return database.prepare('pragma user_version').get()!['user_version'] as number;
  } catch {
    return undefined;
  }
}

/**
 * The good version refuses a database that the new one has brought up to date: the copy that was made before that comes
 * back, and the other one is kept beside it.
 */
export function restoreDatabase({ home, databaseVersion }: DeployPlan): void {
  const now = versionOf(home);
  if (databaseVersion === undefined || now === databaseVersion) return;
  const file = databaseOf(home);
  const copy = join(home, 'data/backups', `pegboard-version-${databaseVersion}.db`);
  if (!existsSync(copy)) {
    say(`the database is of version ${now} now, and there is no ${copy} to put back`);
    return;
  }
  const aside = join(home, 'data/backups', `pegboard-not-deployed-${Date.now()}.db`);
  mkdirSync(join(home, 'data/backups'), { recursive: true, mode: 0o700 });
  for (const part of ['', '-wal', '-shm']) if (existsSync(file + part)) renameSync(file + part, aside + part);
  copyFileSync(copy, file);
  say(`the database of version ${databaseVersion} is back; what the new version made of it is ${aside}`);
}
