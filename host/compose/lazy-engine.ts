import type { Engine, QueueDefinition } from '../api/engine.ts';
import type { Logger } from '../api/log.ts';
import type { Driver } from '../engine/driver.ts';
import type { Database } from '../store/database/database.ts';
import { explainPostgresError } from '../store/database/postgres/errors.ts';
import { isOnPostgres } from './home-database.ts';

/** The queues of the home, opened at first use: from then on this process is one of the home's hosts. */
export interface LazyEngine extends AsyncDisposable {
  /** Throws PEG_DATABASE, and what `admit` throws. */
  open(): Promise<Engine>;
  /** Undefined: this process is none of the home's hosts. */
  readonly opened: Engine | undefined;
}

export interface LazyEngineOptions {
  /** Decides whether this process may be one of the home's hosts. Its result is disposed before the engine. */
  readonly admit?: (engine: Engine) => Promise<AsyncDisposable>;
}

export function createLazyEngine(
  database: Database,
  log: Logger,
  { admit }: LazyEngineOptions = {},
): LazyEngine {
  const owned = new AsyncDisposableStack();
  let opening: Promise<Engine> | undefined;
  let opened: Engine | undefined;
  const onError = (cause: unknown): void =>
    log.warn('the queues could not be read or written; trying again', { cause });
  const open = async (): Promise<Engine> => {
    await using attempt = new AsyncDisposableStack();
    const [{ createEngine }, driver] = await Promise.all([
      import('../engine/create-engine.ts'),
      openDriver(database, onError),
    ]);
    const engine = attempt.use(createEngine(driver, onError));
    if (admit) attempt.use(await admit(engine));
    owned.use(attempt.move());
    opened = engine;
    return engine;
  };
  return {
    open() {
      opening ??= open().catch((cause: unknown) => {
        opening = undefined;
        throw cause;
      });
      return opening;
    },
    get opened() {
      return opened;
    },
    async [Symbol.asyncDispose]() {
      await opening?.catch(() => undefined);
      opened = undefined;
      await owned.disposeAsync();
    },
  };
}

async function openDriver(database: Database, onError: (cause: unknown) => void): Promise<Driver> {
  if (!isOnPostgres(database)) {
    const { openSqliteDriver } = await import('../engine/sqlite/driver.ts');
    return await openSqliteDriver({ database, onError });
  }
  const { openPgBossDriver } = await import('../engine/pgboss/driver.ts');
  const explained = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      throw explainPostgresError(database.name, cause);
    }
  };
  const driver = await explained(() => openPgBossDriver({ database, url: database.url, onError }));
  const define = driver.define.bind(driver);
  // A service defines its queues when it starts, and is started again when it is the database that fails.
  return Object.assign(driver, { define: (queue: QueueDefinition) => explained(() => define(queue)) });
}
