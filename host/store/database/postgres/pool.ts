import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { breaksConnection, explainPostgresError } from './errors.ts';
import { toParameter, valueTypes } from './values.ts';

/** Milliseconds, as SQLite waits for another writer. */
const lockTimeoutMs = 5_000;

/**
 * One transaction of Pegboard runs at a time, as with SQLite: what it has read stays true until it has written. Held to
 * the end of the transaction. The number is "PEGB".
 */
export const lockOfWriters = 'select pg_advisory_xact_lock(1346717506)';

/** Of each connection. Not sent as it begins: PgBouncer refuses that. */
const settings = `
set search_path = pegboard;
set lock_timeout = ${lockTimeoutMs};
set statement_timeout = 20000;
-- A process that stands still in a transaction must not stop all others.
set idle_in_transaction_session_timeout = 5000;
`;

export async function createPool(url: string): Promise<Pool> {
  const { Pool: PgPool, types } = await import('pg');
  const pool = new PgPool({
    connectionString: url,
    types: valueTypes(types),
    max: 8,
    application_name: 'pegboard',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 8_000,
    onConnect: async (client) => void (await client.query(settings)),
    allowExitOnIdle: true,
  });
  // A broken connection is noticed by the next query, or replaced. Without listeners, it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

export interface PoolOptions {
  readonly name: string;
  readonly redact: (text: string) => string;
}

/** What Kysely needs: texts are redacted, errors explained, and broken connections not used again. */
export const toKyselyPool = (pool: Pool, options: PoolOptions): PostgresPool => ({
  async connect() {
    try {
      return toKyselyClient(await pool.connect(), options);
    } catch (cause) {
      throw explainPostgresError(options.name, cause);
    }
  },
  end: () => pool.end(),
  options: pool.options,
});

/** By the client, since Kysely keeps what it knows of a connection by its object. */
const wrapped = new WeakMap<PoolClient, PostgresPoolClient>();

function toKyselyClient(client: PoolClient, options: PoolOptions): PostgresPoolClient {
  const known = wrapped.get(client);
  if (known) return known;
  let isBroken = false;
  const query = async (text: string, parameters: readonly unknown[] = []): Promise<unknown> => {
    const isBegin = text === 'begin';
    try {
      if (isBegin) return last(await client.query(`begin; ${lockOfWriters}`));
      return await client.query(
        text,
        parameters.map((value) => toParameter(value, options.redact)),
      );
    } catch (cause) {
      // A transaction that has begun without the lock would stay open.
      isBroken ||= isBegin || breaksConnection(cause);
      throw explainPostgresError(options.name, cause);
    }
  };
  const own = {
    query,
    release(discard = false) {
      client.release(discard || isBroken);
    },
  } as unknown as PostgresPoolClient;
  wrapped.set(client, own);
  return own;
}

/** Several statements have several results. */
const last = (result: QueryResult | readonly QueryResult[]): QueryResult =>
  Array.isArray(result) ? (result as readonly QueryResult[]).at(-1)! : (result as QueryResult);
