import type { Engine } from '../api/engine.ts';
import type { Logger } from '../api/log.ts';
import type { Driver } from '../engine/driver.ts';
import type { Database } from '../store/database/database.ts';
import type { PostgresDatabase } from '../store/database/postgres/database.ts';

/** The queues of the home, opened at first use: from then on this process is one of the home's hosts. */
export interface LazyEngine extends AsyncDisposable {
  /** Throws PEG_DATABASE. */
  open(): Promise<Engine>;
}

export function createLazyEngine(database: Database, log: Logger): LazyEngine {
  let opening: Promise<Engine> | undefined;
  const onError = (cause: unknown): void =>
    log.warn('the queues could not be read or written; trying again', { cause });
  const open = async (): Promise<Engine> => {
    const [{ createEngine }, driver] = await Promise.all([
      import('../engine/create-engine.ts'),
      openDriver(database, onError),
    ]);
    return createEngine(driver, onError);
  };
  return {
    open() {
      opening ??= open().catch((cause: unknown) => {
        opening = undefined;
        throw cause;
      });
      return opening;
    },
    async [Symbol.asyncDispose]() {
      await (await opening?.catch(() => undefined))?.[Symbol.asyncDispose]();
    },
  };
}

async function openDriver(database: Database, onError: (cause: unknown) => void): Promise<Driver> {
  if (!isOnPostgres(database)) {
    const { openSqliteDriver } = await import('../engine/sqlite/driver.ts');
    return await openSqliteDriver({ database, onError });
  }
  const { openPgBossDriver } = await import('../engine/pgboss/driver.ts');
  return await openPgBossDriver({ database, url: database.url, onError });
}

const isOnPostgres = (database: Database): database is PostgresDatabase => 'url' in database;
