import type { Transaction } from 'kysely';
import type {
  EngineHost,
  JobOutcome,
  NewJob,
  QueuedJob,
  QueueDefinition,
  QueueStatus,
  TakenJob,
} from '../api/engine.ts';

/** Milliseconds after which the jobs of a silent host are taken over. */
export const silenceMs = 10_000;
/** Milliseconds between two signs of life. */
export const renewalMs = 2_500;
/** Milliseconds for which a host believes in a claim without having renewed it: less than others wait. */
export const beliefMs = 8_000;

/** What happened elsewhere, or in a transaction of this process. */
export type News =
  /** Jobs of this queue may begin: now, or at this moment (milliseconds since 1970). */
  | { readonly kind: 'added'; readonly queue: string; readonly at?: number }
  /** This job may have been cancelled. */
  | { readonly kind: 'cancelled'; readonly job: string }
  /** Anything. */
  | { readonly kind: 'unknown' };

/** The storage of jobs: the part in which SQLite and pg-boss differ. */
export interface Driver extends AsyncDisposable {
  /** Milliseconds after which a worker looks for jobs although there were no news. */
  readonly pollMs: number;
  define(queue: QueueDefinition): Promise<void>;
  transaction<Tables, Result>(work: (transaction: Transaction<Tables>) => Promise<Result>): Promise<Result>;
  add(transaction: Transaction<unknown>, queue: QueueDefinition, job: NewJob): Promise<string>;
  /** Adds a job if the queue has none that waits or runs. */
  addIfNone(queue: QueueDefinition): Promise<void>;
  /** Takes jobs that may begin now. `nextAt`: when the next one may, if that is known. */
  take(
    queue: QueueDefinition,
    most: number,
  ): Promise<{ readonly jobs: readonly TakenJob[]; readonly nextAt?: number }>;
  /** Shows that this host lives. Returns the ids of the jobs that are still its own. */
  renew(queue: string, jobs: readonly TakenJob[]): Promise<ReadonlySet<string>>;
  /** Within a transaction: whether this attempt still owns the job. Nobody can take it before the transaction ends. */
  holds(transaction: Transaction<unknown>, job: TakenJob): Promise<boolean>;
  /** Within a transaction: notes that this host has begun a role, for `hosts`. */
  beginRole(transaction: Transaction<unknown>, role: string): Promise<void>;
  /** Within a transaction. `atOnce`: without the backoff. False: this attempt no longer owns the job. */
  settle(
    transaction: Transaction<unknown>,
    queue: QueueDefinition,
    job: TakenJob,
    outcome: JobOutcome,
    how?: { readonly atOnce: boolean },
  ): Promise<boolean>;
  cancel(transaction: Transaction<unknown>, queue: string, id: string): Promise<boolean>;
  find(queue: string, id: string): Promise<QueuedJob | undefined>;
  hosts(): Promise<readonly EngineHost[]>;
  queues(): Promise<readonly QueueStatus[]>;
  /** Calls `listener` with news until it is disposed. */
  onNews(listener: (news: News) => void): Disposable;
}

/** Seconds until the next attempt. */
export const backoffOf = ({ backoff }: QueueDefinition, attempt: number): number =>
  backoff === undefined ? 0 : Math.min(backoff.longest, backoff.first * 2 ** Math.min(attempt - 1, 20));

export const mayRetry = (queue: QueueDefinition, job: TakenJob): boolean => job.attempt < queue.attempts;

/** The queue whose one job is the right to a role. */
export const roleQueue = (role: string): QueueDefinition => ({
  name: `${rolePrefix}${role}`,
  order: 'none',
  attempts: Number.MAX_SAFE_INTEGER,
  backoff: { first: 1, longest: 1 },
  keptDays: 1 / 24,
});

/** Undefined for a queue that is no role's. */
export const roleOf = (queue: string): string | undefined =>
  queue.startsWith(rolePrefix) ? queue.slice(rolePrefix.length) : undefined;

const rolePrefix = 'role.';

/** "box/123": process 123 on box. `owner` is that of host/core/processes/owner.ts. */
export const nameOfHost = (owner: string): string => owner.split('/').slice(0, 2).join('/');
