import type { Pool, PoolClient } from 'pg';
import { PegboardError } from '../errors.ts';

/**
 * Throws PEG_DATABASE behind a pooler that gives a connection of the server to one client after the other, as PgBouncer does
 * in transaction mode: what is set for a connection would hold for another one, and news would not arrive. Needs two
 * connections. A pooler that is busy may pass.
 */
export async function requireSessionPooling(pool: Pool): Promise<void> {
  using one = await borrow(pool);
  using other = await borrow(pool);
  const before = await serverProcess(one);
  try {
    await other.client.query('begin');
    const meanwhile = await serverProcess(other);
    if (before !== meanwhile && before === (await serverProcess(one))) return;
  } finally {
    await other.client.query('rollback').catch(() => {});
  }
  throw new PegboardError(
    'PEG_DATABASE',
    'The address in `state` is that of a pooler in transaction mode, which gives one connection of the server to several hosts. Set it to session mode (for PgBouncer: pool_mode = session), or name the server itself.',
  );
}

interface Borrowed extends Disposable {
  readonly client: PoolClient;
}

async function borrow(pool: Pool): Promise<Borrowed> {
  const client = await pool.connect();
  return { client, [Symbol.dispose]: () => client.release() };
}

async function serverProcess({ client }: Borrowed): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}
