import type { EngineHost, EngineStatus, QueueStatus } from '../../api/engine.ts';
import { parseJson } from '../../core/documents/written-numbers.ts';
import { isAbandoned } from '../../core/processes/owner.ts';
import { nameOfHost, roleOf } from '../driver.ts';
import { deadLetters, hostName, schema } from './open-boss.ts';

/** A pool of pg, whatever it makes of values: the queries return numbers and texts. */
interface Queries {
  query(text: string): Promise<{ readonly rows: readonly unknown[] }>;
}

/** Makes no tables: where there are none, nothing has run yet. */
export async function readStatus(pool: Queries): Promise<EngineStatus> {
  const { rows } = await pool.query(
    `select count(*)::int as tables from information_schema.tables
       where table_schema = '${schema}' and table_name in ('instance', 'job', 'queue', 'role_holders')`,
  );
  const [{ tables }] = rows as [{ readonly tables: number }];
  if (tables < 4) return { hosts: [], queues: [] };
  const [hosts, queues] = await Promise.all([listHosts(pool), queueStatuses(pool)]);
  return { hosts, queues };
}

interface HostRow {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly seen: number;
  readonly live: number;
  /** JSON array. */
  readonly roles: string;
}

/** By the clock of the server: those of the hosts may differ. Those that are gone are listed for a day. */
const hostsQuery = `
select coalesce(instance.name, instance.id::text) as name,
  (extract(epoch from instance.heartbeat_on) * 1000)::float8 as seen,
  (instance.heartbeat_on >= now() - instance.heartbeat_seconds * 3 * interval '1 second')::int as live,
  coalesce((select json_agg(holders.role order by holders.role) from ${schema}.role_holders holders
    where holders.holder = instance.name
      and exists (select from ${schema}.job where job.name = 'role.' || holders.role and job.state = 'active')
  ), '[]')::text as roles
from ${schema}.instance
where instance.stopped_on is null and instance.heartbeat_on > now() - interval '1 day'
order by instance.started_on, instance.id`;

export async function listHosts(pool: Queries): Promise<readonly EngineHost[]> {
  const { rows } = await pool.query(hostsQuery);
  return (rows as readonly HostRow[]).map(({ name, seen, live, roles }) => {
    const seenAt = new Date(seen).toISOString();
    return {
      id: nameOfHost(name),
      seenAt,
      isLive: live === 1 && !isAbandoned(name, seenAt),
      isThisOne: name === hostName,
      roles: parseJson(roles) as string[],
    };
  });
}

interface QueueRow {
  readonly name: string;
  readonly waiting: number;
  readonly later: number;
  readonly running: number;
  readonly dead: number;
  readonly oldest: number;
}

const queuesQuery = `
select queue.name,
  (count(*) filter (where job.state in ('created', 'retry')))::int as waiting,
  (count(*) filter (where job.state in ('created', 'retry') and job.start_after > now()))::int as later,
  (count(*) filter (where job.state = 'active'))::int as running,
  (count(*) filter (where job.state = 'completed' and job.output ? 'dead'))::int as dead,
  coalesce(extract(epoch from now() - min(job.start_after)
    filter (where job.state in ('created', 'retry') and job.start_after <= now())), 0)::float8 as oldest
from ${schema}.queue left join ${schema}.job on job.name = queue.name
group by queue.name order by queue.name`;

export async function queueStatuses(pool: Queries): Promise<readonly QueueStatus[]> {
  const { rows } = await pool.query(queuesQuery);
  return (rows as readonly QueueRow[])
    .filter(({ name }) => isOfJobs(name))
    .map(({ name, waiting, later, running, dead, oldest }) => ({
      name,
      waiting,
      later,
      running,
      dead,
      oldestSeconds: Math.round(oldest),
    }));
}

const isOfJobs = (queue: string): boolean =>
  roleOf(queue) === undefined && queue !== deadLetters && !queue.startsWith('__');

/** Those that wait or run, without roles. None where there are no queues yet. */
export async function openJobs(
  pool: Queries,
): Promise<readonly { readonly queue: string; readonly id: string }[]> {
  if (!(await hasQueues(pool))) return [];
  const { rows } = await pool.query(
    `select name as queue, id::text from ${schema}.job where state in ('created', 'retry', 'active')`,
  );
  return (rows as readonly { readonly queue: string; readonly id: string }[]).filter(({ queue }) =>
    isOfJobs(queue),
  );
}

/** Whether a host has worked on this database. */
export async function hasQueues(pool: Queries): Promise<boolean> {
  const { rows } = await pool.query(`select to_regclass('${schema}.job')::text as found`);
  return (rows as readonly { readonly found: string | null }[])[0]!.found !== null;
}
