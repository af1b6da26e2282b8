import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import type { Engine } from '../../../host/api/engine.ts';
import { createEngine } from '../../../host/engine/create-engine.ts';
import { openPgBossDriver } from '../../../host/engine/pgboss/driver.ts';
import { openSqliteDriver } from '../../../host/engine/sqlite/driver.ts';
import { createDatabase, type Database } from '../../../host/store/database/database.ts';

/** On the database of a home, which the caller closes. */
export async function openEngineOn(
  database: Database,
  onError: (cause: unknown) => void = () => {},
): Promise<Engine> {
  return createEngine(await openSqliteDriver({ database, onError }), onError);
}

/** `url`: the path of a SQLite file, or the URL of a Postgres. */
export async function openEngine(
  url: string,
  onError: (cause: unknown) => void,
): Promise<{ readonly engine: Engine; readonly close: () => Promise<void> }> {
  if (!url.startsWith('postgres:')) {
    const database = createDatabase(url);
    return {
      engine: await openEngineOn(database, onError),
      close: async () => await database[Symbol.asyncDispose](),
    };
  }
  const pool = new Pool({
    connectionString: url,
    max: 8,
    options: '-c idle_in_transaction_session_timeout=5000',
    query_timeout: 8_000,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  const kysely = new Kysely<never>({ dialect: new PostgresDialect({ pool }) });
  const database = { open: () => Promise.resolve(kysely) };
  const driver = await openPgBossDriver({ database, pool, url, onError });
  return { engine: createEngine(driver, onError), close: () => kysely.destroy() };
}
