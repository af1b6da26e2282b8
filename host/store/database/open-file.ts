import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { PegboardError, messageOf } from '../../core/errors.ts';
import { explainSystemError } from '../../core/system-error.ts';
import { isDamage, damageMarkerOf } from './damage.ts';
import { explainDatabaseError, isBusy } from './errors.ts';
import { newestOf, type Migrations } from './tables/migrations.ts';
import { checkIdentity, migrate, versionOf } from './migrate.ts';

/** Milliseconds that a statement waits for another process. */
const busyTimeoutMs = 5_000;

/**
 * Opens the file, and creates or migrates it if necessary. A damaged one is replaced by its newest backup, which
 * `restored` reports. Throws PEG_DATABASE.
 */
export async function openForWriting(
  path: string,
  migrations: Migrations,
  restored: (message: string) => void,
): Promise<DatabaseSync> {
  makePrivateFile(path);
  const mend = async (): Promise<void> => {
    const { restoreIfDamaged } = await import('./restore.ts');
    const message = await restoreIfDamaged(path, newestOf(migrations));
    if (message !== undefined) restored(message);
  };
  if (existsSync(damageMarkerOf(path))) await mend();
  return await opened(path, async () => {
    try {
      return await openFile(path, migrations);
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      await mend();
      return await openFile(path, migrations);
    }
  });
}

async function openFile(path: string, migrations: Migrations): Promise<DatabaseSync> {
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs });
  return await orClose(database, async () => {
    checkIdentity(database, path, migrations);
    await setWriteAheadLog(database);
    // A crash of this process loses nothing; a power cut loses at most the last moments, never the file.
    database.exec('pragma synchronous = normal');
    migrate(database, path, migrations);
  });
}

/** For a read-only home. Throws PEG_DATABASE, also when migrations are missing. */
export async function openForReading(path: string, migrations: Migrations): Promise<DatabaseSync> {
  return await opened(path, async () => {
    const database = openUnwritable(path);
    return await orClose(database, async () => {
      checkIdentity(database, path, migrations);
      const version = versionOf(database);
      if (version === newestOf(migrations)) return;
      throw new PegboardError(
        'PEG_DATABASE',
        `The database ${path} is of version ${version} and has to be migrated to ${newestOf(migrations)}, but it is not writable. Make it writable once.`,
      );
    });
  });
}

/** Whether the file, and the files that SQLite creates next to it, can be written. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * SQLite gives its -wal and -shm files the same mode. An existing one is not opened: closing it would release the locks
 * that SQLite may hold on it in this process, and another process could then remove the -wal file.
 */
function makePrivateFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isDirectory()) throw new Error('there is a folder of that name');
    if (found) accessSync(path, constants.W_OK);
    else closeSync(openSync(path, 'ax', 0o600));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(path)) return;
    const why = messageOf(explainSystemError(cause) ?? cause);
    throw new PegboardError(
      'PEG_DATABASE',
      `The database ${path} can't be created or written: ${why.replace(/\.?$/, '.')}`,
      { cause },
    );
  }
}

/** When two processes create the same database at once, SQLite doesn't make the second one wait here. */
async function setWriteAheadLog(database: DatabaseSync): Promise<void> {
  const until = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (cause) {
      if (!isBusy(cause) || performance.now() > until) throw cause;
      await delay(10);
    }
  }
}

/** Where the -wal file can't be created, SQLite only reads files that are declared immutable. */
function openUnwritable(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  try {
    versionOf(database);
    return database;
  } catch {
    database.close();
    return new DatabaseSync(new URL(`${pathToFileURL(path).href}?immutable=1`), { readOnly: true });
  }
}

async function orClose(database: DatabaseSync, work: () => Promise<void>): Promise<DatabaseSync> {
  try {
    await work();
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}

async function opened(path: string, open: () => Promise<DatabaseSync>): Promise<DatabaseSync> {
  try {
    return await open();
  } catch (cause) {
    throw explainDatabaseError(path, cause);
  }
}
