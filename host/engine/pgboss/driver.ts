import type { Kysely, Transaction } from 'kysely';
import type { Pool } from 'pg';
import { fromKysely, type CommandResponse, type Db, type JobWithMetadata, type PgBoss } from 'pg-boss';
import type { QueuedJob, QueuedJobState, QueueDefinition, TakenJob } from '../../api/engine.ts';
import { PegboardError } from '../../core/errors.ts';
import { backoffOf, mayRetry, roleOf, silenceMs, type Driver, type News } from '../driver.ts';
import { notify, startListener, toPayload } from './listener.ts';
import { hostName, openBoss, schema } from './open-boss.ts';
import { uuid7 } from './uuid7.ts';

export interface PgBossDriverOptions {
  readonly database: { open(): Promise<Kysely<never>> };
  /** The pool of the same database. */
  readonly pool: Pool;
  /** Where to listen for news: the server itself, or a PgBouncer. */
  readonly url: string;
  readonly onError: (cause: unknown) => void;
}

/** Milliseconds between two looks for jobs while news arrive, and while they don't. */
const pollMs = 5_000;
const deafPollMs = 500;
/** pg-boss marks what has failed too often in a way that blocks its key for ever, so that we count ourselves. */
const retryLimit = 1_000_000_000;
/** Waiting jobs are never deleted. */
const retentionSeconds = 1_000_000_000;
/** The longest that pg-boss allows. Heartbeats notice sooner that a host has died. */
const expireInSeconds = 86_400;
const deadLetters = 'dead';

interface StoredData {
  readonly key?: string;
  readonly data: unknown;
}

/** What an ended job leaves behind. */
interface Output {
  readonly result?: unknown;
  /** Why it is dead. */
  readonly dead?: string;
}

/** Jobs in Postgres through pg-boss, for any number of hosts. */
export async function openPgBossDriver(options: PgBossDriverOptions): Promise<Driver> {
  const { database, pool, url, onError } = options;
  const db = await database.open();
  const boss = await openBoss(pool, onError);
  const listeners = new Set<(news: News) => void>();
  const listener = startListener({
    url,
    onNews: (news) => {
      for (const one of listeners) one(news);
    },
    onError,
  });
  const tell = async (transaction: Transaction<unknown>, news: News): Promise<void> => {
    await dbOf(transaction).executeSql(notify, [toPayload(news)]);
  };
  await defineQueue(boss, { name: deadLetters, order: 'none', attempts: 1, keptDays: 90 });
  return {
    get pollMs() {
      return listener.hears ? pollMs : deafPollMs;
    },
    define: (queue) => defineQueue(boss, queue),
    transaction: (work) => db.transaction().execute((transaction) => work(transaction as never)),
    async add(transaction, queue, { data, key, at, priority }) {
      const id = uuid7();
      const stored: StoredData = { ...(key !== undefined && { key }), data };
      const sent = await boss.send(queue.name, stored, {
        id,
        db: dbOf(transaction),
        ...(queue.order === 'key' && { singletonKey: key! }),
        ...(at !== undefined && { startAfter: new Date(at) }),
        ...(priority !== undefined && { priority }),
      });
      if (sent === null) throw new PegboardError('PEG_INTERNAL', `the queue ${queue.name} took no job`);
      await tell(transaction, { kind: 'added', queue: queue.name, ...(at !== undefined && { at }) });
      return id;
    },
    async addIfNone({ name }) {
      // The queue takes none while it has one.
      await boss.send(name, { data: null } satisfies StoredData, { singletonKey: name });
    },
    async take({ name }, most) {
      const rows = await boss.fetch<StoredData>(name, { batchSize: most });
      return {
        jobs: rows.map(({ id, data, retryCount }) => ({
          id,
          queue: name,
          key: data.key,
          data: data.data,
          attempt: retryCount + 1,
        })),
      };
    },
    async renew(queue, jobs) {
      const { settled } = await changeOf(boss.touch(queue, jobs.map(attemptOf)));
      return new Set(settled);
    },
    async holds(transaction, job) {
      const tx = { db: dbOf(transaction) };
      return (await changeOf(boss.touch(job.queue, [attemptOf(job)], tx))).affected === 1;
    },
    async beginRole(transaction, role) {
      await dbOf(transaction).executeSql(
        `insert into ${schema}.role_holders values ($1, $2) on conflict (role) do update set holder = excluded.holder`,
        [role, hostName],
      );
    },
    async settle(transaction, queue, job, outcome, { atOnce } = { atOnce: false }) {
      const tx = { db: dbOf(transaction) };
      const attempts = [attemptOf(job)];
      if (outcome.state === 'retry' && (atOnce || mayRetry(queue, job))) {
        const failed = boss.fail(queue.name, attempts, { message: outcome.error }, tx);
        const { affected } = await changeOf(failed);
        const seconds = atOnce ? 0 : backoffOf(queue, job.attempt);
        if (affected === 1 && seconds > 0)
          await boss.update(queue.name, undefined, { id: job.id, startAfter: Math.ceil(seconds), ...tx });
        if (affected === 1) {
          const at = Date.now() + seconds * 1000;
          await tell(transaction, { kind: 'added', queue: queue.name, ...(seconds > 0 && { at }) });
        }
        return affected === 1;
      }
      const output: Output =
        outcome.state === 'done' ? { result: outcome.result } : { dead: outcome.error };
      const { affected } = await changeOf(boss.complete(queue.name, attempts, output, tx));
      if (affected === 1 && output.dead !== undefined) {
        const letter = { queue: queue.name, id: job.id, error: output.dead, key: job.key, data: job.data };
        await boss.send(deadLetters, { data: letter } satisfies StoredData, tx);
      }
      if (affected === 1 && queue.order === 'key')
        await tell(transaction, { kind: 'added', queue: queue.name });
      return affected === 1;
    },
    async cancel(transaction, queue, id) {
      const { affected } = await changeOf(boss.cancel(queue, id, { db: dbOf(transaction) }));
      if (affected === 1) await tell(transaction, { kind: 'cancelled', job: id });
      return affected === 1;
    },
    async find(queue, id) {
      const [row] = await boss.findJobs<StoredData>(queue, { id });
      return row && toJob(queue, row);
    },
    async hosts() {
      const { rows } = await pool.query<{ role: string; holder: string }>(
        `select role, holder from ${schema}.role_holders
        where exists (select from ${schema}.job where name = 'role.' || role and state = 'active')`,
      );
      const instances = await boss.getInstances();
      return instances
        .filter(({ stoppedOn }) => stoppedOn === null)
        .map(({ name, id, heartbeatOn }) => ({
          id: name ?? id,
          seenAt: heartbeatOn.toISOString(),
          isLive: Date.now() - heartbeatOn.getTime() < silenceMs,
          isThisOne: name === hostName,
          roles: rows.filter(({ holder }) => holder === name).map(({ role }) => role),
        }));
    },
    async queues() {
      const { rows } = await pool.query<QueueRow>(statusQuery);
      return rows
        .filter(({ name }) => roleOf(name) === undefined && name !== deadLetters && !name.startsWith('__'))
        .map((row) => ({
          name: row.name,
          waiting: Number(row.waiting),
          later: Number(row.later),
          running: Number(row.running),
          dead: Number(row.dead),
          oldestSeconds: Math.round(Number(row.oldest ?? 0)),
        }));
    },
    onNews(one) {
      listeners.add(one);
      return { [Symbol.dispose]: () => void listeners.delete(one) };
    },
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      await boss.stop({ graceful: false, close: false });
    },
  };
}

/** What pg-boss returns from a change of jobs, without declaring it. */
interface Change {
  readonly affected: number;
  /** The ids of the changed jobs. */
  readonly settled: readonly string[];
}

const changeOf = async (response: Promise<CommandResponse>): Promise<Change> =>
  (await response) as unknown as Change;

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

const dbOf = (transaction: Transaction<unknown>): Db => fromKysely(transaction as never);

/** pg-boss counts from 0. */
const attemptOf = ({ id, attempt }: TakenJob): { readonly id: string; readonly retryCount: number } => ({
  id,
  retryCount: attempt - 1,
});

async function defineQueue(boss: PgBoss, queue: QueueDefinition): Promise<void> {
  const { name, order, keptDays } = queue;
  const options = {
    retryLimit,
    retryDelay: 0,
    retentionSeconds,
    expireInSeconds,
    heartbeatSeconds: silenceMs / 1000,
    deleteAfterSeconds: Math.max(1, Math.round(keptDays * 86_400)),
  };
  if (await boss.getQueue(name)) return await boss.updateQueue(name, options);
  const policy = order === 'key' ? 'key_strict_fifo' : roleOf(name) === undefined ? 'standard' : 'exclusive';
  await boss.createQueue(name, { ...options, policy });
}

const states: Record<JobWithMetadata['state'], QueuedJobState> = {
  created: 'waiting',
  retry: 'waiting',
  active: 'running',
  completed: 'done',
  cancelled: 'cancelled',
  failed: 'dead',
};

function toJob(queue: string, row: JobWithMetadata<StoredData>): QueuedJob {
  const output = row.output as Output | null;
  return {
    id: row.id,
    queue,
    key: row.data.key,
    data: row.data.data,
    state: output?.dead === undefined ? states[row.state] : 'dead',
    attempt: row.retryCount + (row.startedOn ? 1 : 0),
    result: output?.result,
  };
}
