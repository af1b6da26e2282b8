import { sql, type Kysely, type Selectable } from 'kysely';
import type {
  JobOutcome,
  NewJob,
  QueuedJob,
  QueueDefinition,
  QueueStatus,
  TakenJob,
} from '../../api/engine.ts';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';
import { backoffOf, mayRetry, roleOf, type Driver } from '../driver.ts';
import type { EngineTables } from './tables.ts';

const waiting = { state: 'waiting', host: null, result: null, error: null, ended_at: null } as const;

export async function addJob(
  transaction: Kysely<EngineTables>,
  { queue, data, key, at = Date.now(), priority = 0 }: NewJob,
): Promise<string> {
  const { id } = await transaction
    .insertInto('engine_jobs')
    .values({ ...waiting, queue, key: key ?? null, data: toJson(data) ?? 'null', priority, at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return String(id);
}

/** Adds a job if the queue has none that waits or runs. */
export async function addIfNone(db: Kysely<EngineTables>, queue: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const open = await transaction
      .selectFrom('engine_jobs')
      .select('id')
      .where('queue', '=', queue)
      .where('state', 'in', ['waiting', 'running'])
      .executeTakeFirst();
    if (!open) await addJob(transaction, { queue, data: null });
  });
}

export interface TakeOptions {
  readonly queue: string;
  readonly most: number;
  /** The id of this process. */
  readonly me: string;
  /** One that may begin was added. When the next of the others may is not looked up then: the worker knows. */
  readonly isDue: boolean;
}

/** Takes jobs whose turn it is. */
export async function takeJobs(
  db: Kysely<EngineTables>,
  { queue, most, me, isDue }: TakeOptions,
): ReturnType<Driver['take']> {
  const now = Date.now();
  const times = isDue ? undefined : await waitingTimes(db, queue, now);
  const next = times?.later !== undefined && { nextAt: times.later };
  // An update waits for the write lock even if it changes nothing.
  if (times && times.due === undefined) return { jobs: [], ...next };
  const { rows } = await sql<Selectable<EngineTables['engine_jobs']>>`
    update engine_jobs set state = 'running', host = ${me}, attempt = attempt + 1 where id in (
      select job.id from engine_jobs job
      where job.queue = ${queue} and job.state = 'waiting' and job.at <= ${now} and (
        job.key is null or job.id = (
          select min(earlier.id) from engine_jobs earlier
          where earlier.queue = ${queue} and earlier.key = job.key and earlier.state in ('waiting', 'running')))
      order by job.priority desc, job.id limit ${sql.lit(most)})
    returning *`.execute(db);
  const taken = rows.map(toJob).toSorted((one, other) => Number(one.id) - Number(other.id));
  return { jobs: taken, ...next };
}

/** When the first jobs that wait begin, of those that may already and of those that may later. */
async function waitingTimes(
  db: Kysely<EngineTables>,
  queue: string,
  now: number,
): Promise<{ readonly due: number | undefined; readonly later: number | undefined }> {
  const open = db.selectFrom('engine_jobs').where('queue', '=', queue).where('state', '=', 'waiting');
  const first = open.select(({ fn }) => fn.min('at').as('at'));
  const { due, later } = await db
    .selectNoFrom([first.where('at', '<=', now).as('due'), first.where('at', '>', now).as('later')])
    .executeTakeFirstOrThrow();
  return { due: due ?? undefined, later: later ?? undefined };
}

const toJob = (row: Selectable<EngineTables['engine_jobs']>): QueuedJob => ({
  id: String(row.id),
  queue: row.queue,
  key: row.key ?? undefined,
  data: parseJson(row.data),
  state: row.state,
  attempt: row.attempt,
  result: row.result === null ? undefined : parseJson(row.result),
});

/** The ids of those that `host` still has. */
export async function stillOwned(
  db: Kysely<EngineTables>,
  host: string,
  queue: string,
  held: readonly TakenJob[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('engine_jobs')
    .select(['id', 'attempt'])
    .where('host', '=', host)
    .where('state', '=', 'running')
    .where('queue', '=', queue)
    .execute();
  const own = new Map(rows.map(({ id, attempt }) => [String(id), attempt]));
  return new Set(held.filter(({ id, attempt }) => own.get(id) === attempt).map(({ id }) => id));
}

/** Whether this attempt of `host` still has the job. */
export async function isOwned(db: Kysely<EngineTables>, host: string, job: TakenJob): Promise<boolean> {
  const row = await db
    .selectFrom('engine_jobs')
    .select('id')
    .where('id', '=', Number(job.id))
    .where('host', '=', host)
    .where('attempt', '=', job.attempt)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return row !== undefined;
}

export interface Settlement {
  readonly host: string;
  readonly queue: QueueDefinition;
  readonly job: TakenJob;
  readonly outcome: JobOutcome;
  /** Whether it may begin again without the backoff, and however often it has. */
  readonly atOnce: boolean;
}

/** False: this attempt no longer has the job. */
export async function settleJob(
  transaction: Kysely<EngineTables>,
  { host, queue, job, outcome, atOnce }: Settlement,
): Promise<boolean> {
  const again = outcome.state === 'retry' && (atOnce || mayRetry(queue, job));
  const pauseMs = atOnce ? 0 : backoffOf(queue, job.attempt) * 1000;
  const row = await transaction
    .updateTable('engine_jobs')
    .set({
      state: again ? 'waiting' : outcome.state === 'done' ? 'done' : 'dead',
      host: null,
      error: outcome.state === 'done' ? null : outcome.error,
      ...(again ? { at: Date.now() + pauseMs } : { ended_at: Date.now() }),
      ...(outcome.state === 'done' && { result: toJson(outcome.result) ?? null }),
    })
    .where('id', '=', Number(job.id))
    .where('host', '=', host)
    .where('attempt', '=', job.attempt)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** False: it had ended. */
export async function cancelJob(db: Kysely<EngineTables>, queue: string, id: string): Promise<boolean> {
  const row = await db
    .updateTable('engine_jobs')
    .set({ state: 'cancelled', ended_at: Date.now() })
    .where('id', '=', Number(id))
    .where('queue', '=', queue)
    .where('state', 'in', ['waiting', 'running'])
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function findJob(
  db: Kysely<EngineTables>,
  queue: string,
  id: string,
): Promise<QueuedJob | undefined> {
  const row = await db
    .selectFrom('engine_jobs')
    .selectAll()
    .where('id', '=', Number(id))
    .where('queue', '=', queue)
    .executeTakeFirst();
  return row && toJob(row);
}

/** Of these queues, and of others that have jobs. */
export async function queueStatuses(
  db: Kysely<EngineTables>,
  known: Iterable<string>,
): Promise<readonly QueueStatus[]> {
  const now = Date.now();
  const rows = await db
    .selectFrom('engine_jobs')
    .select(({ fn, eb }) => [
      'queue',
      'state',
      fn.countAll<number>().as('count'),
      fn.sum<number>(eb.case().when('at', '>', now).then(1).else(0).end()).as('later'),
      fn.min(eb.case().when('at', '<=', now).then(eb.ref('at')).end()).as('oldest'),
    ])
    .where('state', 'in', ['waiting', 'running', 'dead'])
    .groupBy(['queue', 'state'])
    .execute();
  const statusOf = (name: string) => {
    const of = (state: string) => rows.find((row) => row.queue === name && row.state === state);
    const oldest = of('waiting')?.oldest;
    return {
      name,
      waiting: of('waiting')?.count ?? 0,
      later: of('waiting')?.later ?? 0,
      running: of('running')?.count ?? 0,
      dead: of('dead')?.count ?? 0,
      oldestSeconds: oldest === null || oldest === undefined ? 0 : Math.round((now - oldest) / 1000),
    };
  };
  const names = new Set([...known, ...rows.map(({ queue }) => queue)]);
  return [...names].filter((name) => roleOf(name) === undefined).map(statusOf);
}

/** Those that wait or run, without roles. */
export async function openJobs(
  db: Kysely<EngineTables>,
): Promise<readonly { readonly queue: string; readonly id: string }[]> {
  const rows = await db
    .selectFrom('engine_jobs')
    .select(['queue', 'id'])
    .where('state', 'in', ['waiting', 'running'])
    .execute();
  return rows
    .filter(({ queue }) => roleOf(queue) === undefined)
    .map(({ queue, id }) => ({ queue, id: String(id) }));
}
