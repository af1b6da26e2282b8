import { randomUUID } from 'node:crypto';
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { QueuedJob, QueueDefinition } from '../../api/engine.ts';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';
import { backoffOf, mayRetry, roleOf, type Driver, type News } from '../driver.ts';
import { watchHosts } from './hosts.ts';
import type { EngineTables } from './tables.ts';

/** Milliseconds between two looks whether another process has written. */
const newsMs = 250;
/** Jobs are found through news; this is for what nobody told. */
const pollMs = 30_000;

export interface SqliteDriverOptions {
  readonly database: { open(): Promise<Kysely<never>> };
  readonly onError: (cause: unknown) => void;
}

/** Jobs in the home's SQLite database, for the processes of one machine. */
export async function openSqliteDriver({ database, onError }: SqliteDriverOptions): Promise<Driver> {
  const db = (await database.open()) as unknown as Kysely<EngineTables>;
  const me = randomUUID();
  const listeners = new Set<(news: News) => void>();
  const tell = (news: News): void => {
    for (const listener of listeners) listener(news);
  };
  const definitions = new Map<string, QueueDefinition>();
  const hosts = await watchHosts({
    db,
    me,
    definitions,
    onError,
    onFreed: () => tell({ kind: 'unknown' }),
  });
  const watching = watchChanges(db, () => tell({ kind: 'unknown' }), onError);

  return {
    pollMs,
    define: (queue) => Promise.resolve(void definitions.set(queue.name, queue)),
    transaction: (work) => db.transaction().execute((transaction) => work(transaction as never)),
    async add(transaction, { name }, { data, key, at = Date.now(), priority = 0 }) {
      const { id } = await jobs(transaction)
        .insertInto('engine_jobs')
        .values({ ...waiting, queue: name, key: key ?? null, data: toJson(data) ?? 'null', priority, at })
        .returning('id')
        .executeTakeFirstOrThrow();
      // A worker that looks now waits for this transaction to end: the process has one connection.
      tell({ kind: 'added', queue: name, ...(at > Date.now() && { at }) });
      return String(id);
    },
    async addIfNone({ name }) {
      await db.transaction().execute(async (transaction) => {
        const open = await transaction
          .selectFrom('engine_jobs')
          .select('id')
          .where('queue', '=', name)
          .where('state', 'in', ['waiting', 'running'])
          .executeTakeFirst();
        if (open) return;
        const row = { ...waiting, queue: name, key: null, data: 'null', priority: 0, at: Date.now() };
        await transaction.insertInto('engine_jobs').values(row).execute();
      });
    },
    take: ({ name }, most) => takeJobs(db, { queue: name, most, me }),
    async renew(queue, held) {
      const rows = await db
        .selectFrom('engine_jobs')
        .select(['id', 'attempt'])
        .where('host', '=', me)
        .where('state', '=', 'running')
        .where('queue', '=', queue)
        .execute();
      const own = new Map(rows.map(({ id, attempt }) => [String(id), attempt]));
      return new Set(held.filter(({ id, attempt }) => own.get(id) === attempt).map(({ id }) => id));
    },
    async holds(transaction, job) {
      const row = await jobs(transaction)
        .selectFrom('engine_jobs')
        .select('id')
        .where('id', '=', Number(job.id))
        .where('host', '=', me)
        .where('attempt', '=', job.attempt)
        .where('state', '=', 'running')
        .executeTakeFirst();
      return row !== undefined;
    },
    // The row of its job names the host.
    beginRole: () => Promise.resolve(),
    async settle(transaction, queue, job, outcome, { atOnce } = { atOnce: false }) {
      const again = outcome.state === 'retry' && (atOnce || mayRetry(queue, job));
      const row = await jobs(transaction)
        .updateTable('engine_jobs')
        .set({
          state: again ? 'waiting' : outcome.state === 'done' ? 'done' : 'dead',
          host: null,
          error: outcome.state === 'done' ? null : outcome.error,
          ...(again
            ? { at: Date.now() + (atOnce ? 0 : backoffOf(queue, job.attempt) * 1000) }
            : { ended_at: Date.now() }),
          ...(outcome.state === 'done' && { result: toJson(outcome.result) ?? null }),
        })
        .where('id', '=', Number(job.id))
        .where('host', '=', me)
        .where('attempt', '=', job.attempt)
        .where('state', '=', 'running')
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },
    async cancel(transaction, queue, id) {
      const row = await jobs(transaction)
        .updateTable('engine_jobs')
        .set({ state: 'cancelled', ended_at: Date.now() })
        .where('id', '=', Number(id))
        .where('queue', '=', queue)
        .where('state', 'in', ['waiting', 'running'])
        .returning('id')
        .executeTakeFirst();
      if (row) tell({ kind: 'cancelled', job: id });
      return row !== undefined;
    },
    async find(queue, id) {
      const row = await db
        .selectFrom('engine_jobs')
        .selectAll()
        .where('id', '=', Number(id))
        .where('queue', '=', queue)
        .executeTakeFirst();
      return row && toJob(row);
    },
    hosts: () => hosts.list(),
    async queues() {
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
      const names = new Set([...definitions.keys(), ...rows.map(({ queue }) => queue)]);
      return [...names].filter((name) => roleOf(name) === undefined).map(statusOf);
    },
    onNews(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    async [Symbol.asyncDispose]() {
      watching[Symbol.dispose]();
      await hosts[Symbol.asyncDispose]();
    },
  };
}

const waiting = { state: 'waiting', host: null, result: null, error: null, ended_at: null } as const;

/** Of whatever tables the caller's transaction is. */
const jobs = (transaction: Transaction<unknown>): Transaction<EngineTables> =>
  transaction as unknown as Transaction<EngineTables>;

async function takeJobs(
  db: Kysely<EngineTables>,
  { queue, most, me }: { readonly queue: string; readonly most: number; readonly me: string },
): ReturnType<Driver['take']> {
  const now = Date.now();
  const open = db.selectFrom('engine_jobs').where('queue', '=', queue).where('state', '=', 'waiting');
  // An update waits for the write lock even if it changes nothing.
  const first = await open.select(({ fn }) => fn.min('at').as('at')).executeTakeFirst();
  if (first?.at === null || first?.at === undefined) return { jobs: [] };
  if (first.at > now) return { jobs: [], nextAt: first.at };
  const { rows } = await sql<Selectable<EngineTables['engine_jobs']>>`
    update engine_jobs set state = 'running', host = ${me}, attempt = attempt + 1 where id in (
      select job.id from engine_jobs job
      where job.queue = ${queue} and job.state = 'waiting' and job.at <= ${now} and (
        job.key is null or job.id = (
          select min(earlier.id) from engine_jobs earlier
          where earlier.queue = ${queue} and earlier.key = job.key and earlier.state in ('waiting', 'running')))
      order by job.priority desc, job.id limit ${most})
    returning *`.execute(db);
  const next = await open
    .select(({ fn }) => fn.min('at').as('at'))
    .where('at', '>', now)
    .executeTakeFirst();
  const taken = rows.map(toJob).toSorted((one, other) => Number(one.id) - Number(other.id));
  return { jobs: taken, ...(typeof next?.at === 'number' && { nextAt: next.at }) };
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

/** SQLite counts the changes that other processes commit. */
function watchChanges(
  db: Kysely<EngineTables>,
  onChange: () => void,
  onError: (cause: unknown) => void,
): Disposable {
  let last: number | undefined;
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const { rows } = await sql<{ readonly data_version: number }>`pragma data_version`.execute(db);
      const now = rows[0]!.data_version;
      if (last !== undefined && last !== now) onChange();
      last = now;
    } catch (cause) {
      onError(cause);
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), newsMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

