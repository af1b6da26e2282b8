import type { Pool } from 'pg';
import { PgBoss } from 'pg-boss';
import packageOfBoss from 'pg-boss/package.json' with { type: 'json' };
import { PegboardError } from '../../core/errors.ts';
import { onConnect } from '../../core/postgres/on-connect.ts';
import { requireSessionPooling } from '../../core/postgres/session-pooling.ts';
import { thisProcess } from '../../core/processes/owner.ts';
import { notify, toPayload } from './listener.ts';

/** Not "pgboss": another program may have its own in the same database. */
export const schema = 'pegboard_jobs';

/** Under which this process is listed. */
export const hostName = thisProcess;

/** The queue of jobs that failed too often. */
export const deadLetters = 'dead';

/** Seconds between two looks for jobs of silent hosts. */
const superviseSeconds = 2;
/**
 * Seconds after a look for which the other hosts leave theirs out. As long as between two looks, a host whose timer is a
 * little early would leave its out, and jobs would wait for the one after.
 */
const spareSeconds = 1;
/** Seconds between two signs of life of this process; it counts as gone after three. */
const signSeconds = 3;
const hourSeconds = 3_600;

/**
 * Connections of its own: pg-boss reads values as pg's defaults have them, and what is stored elsewhere is read as SQLite
 * would return it.
 */
export async function openPool(connectionString: string, onError: (cause: unknown) => void): Promise<Pool> {
  const { Pool: PgPool } = await import('pg');
  const pool = new PgPool({
    connectionString,
    max: 4,
    application_name: 'pegboard jobs',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: 8_000,
    ...onConnect('set statement_timeout = 20000; set idle_in_transaction_session_timeout = 5000'),
    allowExitOnIdle: true,
  });
  // Without listeners, a connection that breaks would end the process.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/** Creates or migrates the tables of pg-boss, and starts its maintenance. Ends the pool if that fails. */
export async function openBoss(pool: Pool, onError: (cause: unknown) => void): Promise<PgBoss> {
  const boss = new PgBoss({
    db: {
      async executeSql(text, values) {
        const result = await pool.query(text, values);
        // Of several statements there are several results.
        const rows = Array.isArray(result)
          ? (result as readonly { rows: unknown[] }[]).flatMap((one) => one.rows)
          : (result.rows as unknown[]);
        if (rows.some(hasFreed)) await pool.query(notify, [toPayload({ kind: 'unknown' })]);
        return { rows };
      },
    },
    schema,
    schedule: false,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: spareSeconds,
    flowIntervalSeconds: hourSeconds,
    instanceName: hostName,
    instanceHeartbeatSeconds: signSeconds,
    reindex: false,
  });
  boss.on('error', onError);
  try {
    await requireSessionPooling(pool);
    await oneHostAtATime(pool, async () => {
      await checkVersion(pool);
      await boss.start();
      await pool.query(
        `create table if not exists ${schema}.role_holders (role text primary key, holder text not null)`,
      );
    });
  } catch (cause) {
    await pool.end();
    throw cause;
  }
  return boss;
}

/** Of hosts that start at once, the first one creates the tables. "PEGJ". */
async function oneHostAtATime(pool: Pool, work: () => Promise<void>): Promise<void> {
  const client = await pool.connect();
  let isLocked = false;
  try {
    await client.query('select pg_advisory_lock(1346717514)');
    isLocked = true;
    await work();
  } finally {
    if (isLocked) await client.query('select pg_advisory_unlock(1346717514)').catch(() => {});
    client.release();
  }
}

/** Whether this is what pg-boss gets from a look for jobs of silent hosts that has found some. It tells nobody. */
const hasFreed = (row: unknown): boolean =>
  Number((row as { readonly expiryPicked?: unknown } | null)?.expiryPicked ?? 0) > 0;

/** pg-boss itself would work on the tables of a newer one without a word. */
async function checkVersion(pool: Pool): Promise<void> {
  const known = packageOfBoss.pgboss.schema;
  const { rows } = await pool.query<{ there: boolean }>(
    `select to_regclass('${schema}.version') is not null as there`,
  );
  if (!rows[0]?.there) return;
  const found = await pool.query<{ version: number }>(`select version from ${schema}.version`);
  const version = found.rows[0]?.version ?? 0;
  if (version <= known) return;
  throw new PegboardError(
    'PEG_DATABASE',
    `The queues in the database were written by a newer Pegboard: their version is ${version}, and this one knows ${known}. Update Pegboard on this host.`,
  );
}
