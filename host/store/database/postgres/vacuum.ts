import type { Pool } from 'pg';
import { explainPostgresError } from './errors.ts';
import { run } from './migrate.ts';

/** Deleted rows stay in the files of the tables until then. Copies and logs of the server are not reached. */
export async function vacuum(pool: Pool, name: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    const { rows } = await client.query<{ table: string }>(
      `select format('%I.%I', schemaname, tablename) as table from pg_tables where schemaname = 'pegboard'`,
    );
    for (const { table } of rows) await run(client, `vacuum ${table}`);
  } catch (cause) {
    throw explainPostgresError(name, cause);
  } finally {
    // Its setting ends with the connection.
    client.release(true);
  }
}
