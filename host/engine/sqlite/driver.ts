import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { QueueDefinition } from '../../api/engine.ts';
import type { Driver, News } from '../driver.ts';
import { watchHosts } from './hosts.ts';
import {
  addIfNone,
  addJob,
  cancelJob,
  findJob,
  isOwned,
  queueStatuses,
  settleJob,
  stillOwned,
  takeJobs,
} from './jobs.ts';
import type { EngineTables } from './tables.ts';
import { watchChanges } from './watch-changes.ts';

/** Jobs are found through news; this is for what nobody told. */
const pollMs = 30_000;

export interface SqliteDriverOptions {
  /** The home's. */
  readonly database: { open(): Promise<unknown> };
  readonly onError: (cause: unknown) => void;
}

/** Jobs in the home's SQLite database, for the processes of one machine. */
export async function openSqliteDriver({ database, onError }: SqliteDriverOptions): Promise<Driver> {
  const db = (await database.open()) as Kysely<EngineTables>;
  const me = randomUUID();
  const listeners = new Set<(news: News) => void>();
  /** Queues to which this process has added jobs since it last looked into them. */
  const added = new Set<string>();
  const tell = (news: News): void => {
    for (const listener of listeners) listener(news);
  };
  const somethingChanged = (): void => tell({ kind: 'unknown' });
  const definitions = new Map<string, QueueDefinition>();
  const hosts = await watchHosts({ db, me, definitions, onError, onFreed: somethingChanged });
  const watching = await watchChanges(db, somethingChanged, onError);
  return {
    pollMs,
    define: (queue) => Promise.resolve(void definitions.set(queue.name, queue)),
    transaction: (work) => db.transaction().execute((transaction) => work(asCallers(transaction))),
    async add(transaction, queue, job) {
      const id = await addJob(ours(transaction), job);
      const isLater = job.at !== undefined && job.at > Date.now();
      if (!isLater) added.add(queue.name);
      // A worker that looks now waits for this transaction to end: the process has one connection.
      tell({ kind: 'added', queue: queue.name, ...(isLater && { at: job.at }) });
      return id;
    },
    addIfNone: ({ name }) => addIfNone(db, name),
    take: ({ name }, most) => takeJobs(db, { queue: name, most, me, isDue: added.delete(name) }),
    renew: (queue, jobs) => stillOwned(db, me, queue, jobs),
    holds: (transaction, job) => isOwned(ours(transaction), me, job),
    // The row of its job names the host.
    beginRole: () => Promise.resolve(),
    settle: (transaction, queue, job, outcome, { atOnce } = { atOnce: false }) =>
      settleJob(ours(transaction), { host: me, queue, job, outcome, atOnce }),
    async cancel(transaction, queue, id) {
      const isCancelled = await cancelJob(ours(transaction), queue, id);
      if (isCancelled) tell({ kind: 'cancelled', job: id });
      return isCancelled;
    },
    find: (queue, id) => findJob(db, queue, id),
    hosts: () => hosts.list(),
    queues: () => queueStatuses(db, definitions.keys()),
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

/** Transactions of callers know their tables alone. */
const ours = (transaction: Transaction<unknown>): Transaction<EngineTables> => transaction;

const asCallers = <Tables>(transaction: unknown): Transaction<Tables> => transaction as Transaction<Tables>;
