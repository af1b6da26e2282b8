import type { Engine } from '../../../host/api/engine.ts';
import { createLazyEngine } from '../../../host/compose/lazy-engine.ts';
import type { Logger } from '../../../host/api/log.ts';
import { createDatabase, type Database } from '../../../host/store/database/database.ts';

/** On the database of a home, which the caller closes. */
export async function openEngineOn(
  database: Database,
  onError: (cause: unknown) => void = () => {},
): Promise<Engine> {
  const warn = (_message: string, fields?: object): void => onError((fields as { cause?: unknown }).cause);
  const log: Logger = { debug() {}, info() {}, warn, error: warn, child: () => log };
  return await createLazyEngine(database, log).open();
}

/** `url`: the path of a SQLite file, or the URL of a Postgres. */
export async function openEngine(
  url: string,
  onError: (cause: unknown) => void,
): Promise<{ readonly engine: Engine; readonly close: () => Promise<void> }> {
  const database = url.startsWith('postgres:') ? await onPostgres(url) : createDatabase(url);
  return {
    engine: await openEngineOn(database, onError),
    close: async () => await database[Symbol.asyncDispose](),
  };
}

/** Each host of the engine is a process, which loads what it needs. */
async function onPostgres(url: string): Promise<Database> {
  const { createPostgresDatabase } = await import('../../../host/store/database/postgres/database.ts');
  return createPostgresDatabase(url);
}
