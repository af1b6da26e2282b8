import type { Engine } from '../api/engine.ts';
import type { Logger } from '../api/log.ts';
import type { Database } from '../store/database/database.ts';

/** The queues of the home, opened at first use: from then on this process is one of the home's hosts. */
export interface LazyEngine extends AsyncDisposable {
  /** Throws PEG_DATABASE. */
  open(): Promise<Engine>;
}

export function createLazyEngine(database: Database, log: Logger): LazyEngine {
  let opening: Promise<Engine> | undefined;
  const open = async (): Promise<Engine> => {
    const [{ createEngine }, { openSqliteDriver }] = await Promise.all([
      import('../engine/create-engine.ts'),
      import('../engine/sqlite/driver.ts'),
    ]);
    const onError = (cause: unknown): void =>
      log.warn('the queues could not be read or written; trying again', { cause });
    return createEngine(await openSqliteDriver({ database, onError }), onError);
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
