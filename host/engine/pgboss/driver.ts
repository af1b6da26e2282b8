import type { Kysely, Transaction } from 'kysely';
import { fromKysely, type CommandResponse, type Db, type JobWithMetadata, type PgBoss } from 'pg-boss';
import type { JobOutcome, QueuedJob, QueuedJobState, QueueDefinition, TakenJob } from '../../api/engine.ts';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';
import { PegboardError } from '../../core/errors.ts';
import { backoffOf, mayRetry, roleOf, silenceMs, type Driver, type News } from '../driver.ts';
import { listenForNews, notify, toPayload } from './listener.ts';
import { deadLetters, hostName, openBoss, openPool, schema } from './open-boss.ts';
import { listHosts, queueStatuses } from './status.ts';
import { uuid7 } from './uuid7.ts';

export interface PgBossDriverOptions {
  /** The home's. */
  readonly database: { open(): Promise<unknown> };
  /** Of the same database. */
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

interface StoredData {
  readonly key?: string;
  /** JSON as a text: Postgres's own would round numbers. */
  readonly json: string;
}

/** What an ended job leaves behind. */
interface Output {
  /** JSON. */
  readonly result?: string | undefined;
  /** Why it is dead. */
  readonly dead?: string;
}

/** Jobs in Postgres through pg-boss, for any number of hosts. */
export async function openPgBossDriver(options: PgBossDriverOptions): Promise<Driver> {
  const { database, url, onError } = options;
  const db = (await database.open()) as Kysely<never>;
  const pool = await openPool(url, onError);
  const boss = await openBoss(pool, onError);
  const listeners = new Set<(news: News) => void>();
  const listener = listenForNews({
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
    // With its own level, it doesn't wait for the transactions of others: rows that are claimed are locked one by one.
    transaction: (work) =>
      db
        .transaction()
        .setIsolationLevel('read committed')
        .execute((transaction) => work(transaction as never)),
    async add(transaction, queue, { data, key, at, priority }) {
      const id = uuid7();
      const stored: StoredData = { ...(key !== undefined && { key }), json: toJson(data) ?? 'null' };
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
      await boss.send(name, { json: 'null' } satisfies StoredData, { singletonKey: name });
    },
    async take({ name }, most) {
      const rows = await boss.fetch<StoredData>(name, { batchSize: most });
      return {
        jobs: rows.map(({ id, data, retryCount }) => ({
          id,
          queue: name,
          key: data.key,
          data: parseJson(data.json),
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
      const settled = await settleJob(boss, transaction, { queue, job, outcome, atOnce });
      if (settled?.news) await tell(transaction, settled.news);
      return settled !== undefined;
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
    hosts: () => listHosts(pool),
    queues: () => queueStatuses(pool),
    onNews(one) {
      listeners.add(one);
      return { [Symbol.dispose]: () => void listeners.delete(one) };
    },
    async [Symbol.asyncDispose]() {
      await listener[Symbol.asyncDispose]();
      await boss.stop({ graceful: false, close: false });
      await pool.end();
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

const dbOf = (transaction: Transaction<unknown>): Db => fromKysely(transaction);

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
    data: parseJson(row.data.json),
    state: output?.dead === undefined ? states[row.state] : 'dead',
    attempt: row.retryCount + (row.startedOn ? 1 : 0),
    result: output?.result === undefined ? undefined : parseJson(output.result),
  };
}

interface Settlement {
  readonly queue: QueueDefinition;
  readonly job: TakenJob;
  readonly outcome: JobOutcome;
  readonly atOnce: boolean;
}

/** Settles within the transaction. Undefined: this attempt no longer has the job. Otherwise what the hosts have to know. */
async function settleJob(
  boss: PgBoss,
  transaction: Transaction<unknown>,
  { queue, job, outcome, atOnce }: Settlement,
): Promise<{ readonly news?: News } | undefined> {
  const tx = { db: dbOf(transaction) };
  const attempts = [attemptOf(job)];
  if (outcome.state === 'retry' && (atOnce || mayRetry(queue, job))) {
    const failed = boss.fail(queue.name, attempts, { message: outcome.error }, tx);
    const { affected } = await changeOf(failed);
    const seconds = atOnce ? 0 : backoffOf(queue, job.attempt);
    if (affected === 1 && seconds > 0)
      await boss.update(queue.name, undefined, { id: job.id, startAfter: Math.ceil(seconds), ...tx });
    if (affected !== 1) return undefined;
    const at = Date.now() + seconds * 1000;
    return { news: { kind: 'added', queue: queue.name, ...(seconds > 0 && { at }) } };
  }
  const output: Output =
    outcome.state === 'done' ? { result: toJson(outcome.result) } : { dead: outcome.error };
  const { affected } = await changeOf(boss.complete(queue.name, attempts, output, tx));
  if (affected !== 1) return undefined;
  if (output.dead !== undefined) {
    const letter = { queue: queue.name, id: job.id, error: output.dead, key: job.key, data: job.data };
    await boss.send(deadLetters, { json: toJson(letter) } satisfies StoredData, tx);
  }
  // The next job of the key may begin.
  return queue.order === 'key' ? { news: { kind: 'added', queue: queue.name } } : {};
}
