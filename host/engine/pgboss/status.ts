import type { Pool } from 'pg';
import type { PgBoss } from 'pg-boss';
import type { EngineHost, QueueStatus } from '../../api/engine.ts';
import { nameOfHost, roleOf, silenceMs } from '../driver.ts';
import { deadLetters, hostName, schema } from './open-boss.ts';

export async function listHosts(boss: PgBoss, pool: Pool): Promise<readonly EngineHost[]> {
  const { rows } = await pool.query<{ role: string; holder: string }>(
    `select role, holder from ${schema}.role_holders
        where exists (select from ${schema}.job where name = 'role.' || role and state = 'active')`,
  );
  const instances = await boss.getInstances();
  return instances
    .filter(({ stoppedOn }) => stoppedOn === null)
    .map(({ name, id, heartbeatOn }) => ({
      id: nameOfHost(name ?? id),
      seenAt: heartbeatOn.toISOString(),
      isLive: Date.now() - heartbeatOn.getTime() < silenceMs,
      isThisOne: name === hostName,
      roles: rows.filter(({ holder }) => holder === name).map(({ role }) => role),
    }));
}

interface QueueRow {
  readonly name: string;
  readonly waiting: string;
  readonly later: string;
  readonly running: string;
  readonly dead: string;
  readonly oldest: string | null;
}

const statusQuery = `
select queue.name,
  count(*) filter (where job.state in ('created', 'retry')) as waiting,
  count(*) filter (where job.state in ('created', 'retry') and job.start_after > now()) as later,
  count(*) filter (where job.state = 'active') as running,
  count(*) filter (where job.state = 'completed' and job.output ? 'dead') as dead,
  extract(epoch from now() - min(job.start_after)
    filter (where job.state in ('created', 'retry') and job.start_after <= now())) as oldest
from ${schema}.queue left join ${schema}.job on job.name = queue.name
group by queue.name order by queue.name`;

export async function queueStatuses(pool: Pool): Promise<readonly QueueStatus[]> {
  const { rows } = await pool.query<QueueRow>(statusQuery);
  return rows
    .filter(({ name }) => isOfJobs(name))
    .map((row) => ({
      name: row.name,
      waiting: Number(row.waiting),
      later: Number(row.later),
      running: Number(row.running),
      dead: Number(row.dead),
      oldestSeconds: Math.round(Number(row.oldest ?? 0)),
    }));
}

const isOfJobs = (queue: string): boolean =>
  roleOf(queue) === undefined && queue !== deadLetters && !queue.startsWith('__');

/** Those that wait or run, without roles. None where there are no queues yet. */
export async function openJobs(
  pool: Pool,
): Promise<readonly { readonly queue: string; readonly id: string }[]> {
  if (!(await hasQueues(pool))) return [];
  const { rows } = await pool.query<{ queue: string; id: string }>(
    `select name as queue, id::text from ${schema}.job where state in ('created', 'retry', 'active')`,
  );
  return rows.filter(({ queue }) => isOfJobs(queue));
}

/** Whether a host has worked on this database. */
export async function hasQueues(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ found: string | null }>(
    `select to_regclass('${schema}.job')::text as found`,
  );
  return rows[0]!.found !== null;
}
