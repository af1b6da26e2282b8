import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Database } from '../../../host/store/database/database.ts';
import type { Engine } from '../../../host/api/engine.ts';
import { isBusy, isOnPostgres } from '../database.ts';

/** Makes a waiting job look as if a host that died had begun it. */
export async function leaveBehind(database: Database, job: string): Promise<void> {
  const open = await database.open();
  if (isOnPostgres) {
    await sql`update pegboard_jobs.job set state = 'active', started_on = now(), heartbeat_on = now() - interval '1 minute'
      where id = ${job}`.execute(open);
    return;
  }
  const owner = `${hostname()}/999999999/1`;
  await sql`insert into engine_hosts values ('dead', ${owner}, ${Date.now()})`.execute(open);
  await sql`update engine_jobs set state = 'running', host = 'dead', attempt = 1 where id = ${Number(job)}`.execute(
    open,
  );
}

/**
 * Whether a job could begin or is being worked on, or a statement of this process runs. On a file, none ever does.
 * `held`: how many jobs the test itself keeps from going on.
 */
export async function isAtWork(database: Database, engine: Engine, held = 0): Promise<boolean> {
  if (!isOnPostgres) return false;
  if (await isBusy(database)) return true;
  const queues = await engine.queues();
  const running = queues.reduce((sum, queue) => sum + queue.running, 0);
  return running > held || queues.some(({ waiting, later }) => waiting > later);
}
