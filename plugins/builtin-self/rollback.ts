import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DeployPlan } from './deploy-plan.ts';
import { failureOfCommand, log } from './supervised-host.ts';

const identity = [
  '-c',
  'user.name=Pegboard',
  '-c',
  'user.email=agent@pegboard.local',
  '-c',
  'core.hooksPath=/dev/null',
];

/** Seconds, whatever the limit of the host's own commands is. */
const gitTimeoutSeconds = 20;

/**
 * Restores the files of the good version in a new commit, so that the failed version stays in the history. Returns the
 * error if it fails.
 */
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
    // Left by a git process that was killed. No other git runs here now.
    rmSync(join(plan.reserve, '../index.lock'), { force: true });
    failed = restore();
  }
  if (failed !== undefined) return failed;
  const message = `Roll back to ${tag}: the next version was unhealthy`;
  const uncommitted = git('diff', '--quiet', '--cached', 'HEAD') && git('commit', '-q', '-m', message);
  // Only the files matter.
  if (uncommitted !== undefined) log(uncommitted);
  return undefined;
}

const databaseOf = (home: string): string => join(home, 'data/pegboard.db');

/** Undefined when there is no readable database. */
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
 * The good version refuses a database that the new one has migrated. Restores the copy that was made before the
 * migration, and keeps the migrated one next to it.
 */
export function restoreDatabase({ home, databaseVersion }: DeployPlan): void {
  const now = versionOf(home);
  if (databaseVersion === undefined || now === databaseVersion) return;
  const file = databaseOf(home);
  const copy = join(home, 'data/backups', `pegboard-version-${databaseVersion}.db`);
  if (!existsSync(copy)) {
    log(`the database is of version ${now} now, and there is no ${copy} to restore`);
    return;
  }
  const aside = join(home, 'data/backups', `pegboard-not-deployed-${Date.now()}.db`);
  mkdirSync(join(home, 'data/backups'), { recursive: true, mode: 0o700 });
  for (const part of ['', '-wal', '-shm']) if (existsSync(file + part)) renameSync(file + part, aside + part);
  copyFileSync(copy, file);
  log(`the database of version ${databaseVersion} is restored; the migrated one is kept as ${aside}`);
}
