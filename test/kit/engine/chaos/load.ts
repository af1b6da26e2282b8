import { sql, type Kysely } from 'kysely';
import type { QueueDefinition } from '../../../../host/api/engine.ts';

/** What the hosts work on: messages of conversations in order, schedules, and a role that receives the messages. */
export interface LoadSize {
  readonly conversations: number;
  /** Of each conversation. */
  readonly messages: number;
  /** Each of them is due every 250 to 1,000 ms. */
  readonly schedules: number;
}

export const queues = {
  messages: { name: 'messages', order: 'key', attempts: 1_000, keptDays: 1 },
  runs: { name: 'runs', order: 'none', attempts: 1_000, keptDays: 1 },
} as const satisfies Record<string, QueueDefinition>;

export const role = 'receiver';

export interface MessageJob {
  readonly update: number;
  readonly conversation: number;
  readonly n: number;
}

export interface RunJob {
  readonly schedule: number;
  readonly due: number;
}

/** A line in the file of events, which survives any death of its host. */
export interface LoadEvent {
  readonly kind: 'ready' | 'claim' | 'effect' | 'refused' | 'act' | 'error';
  /** "a/123": the process 123 of the host a. */
  readonly host: string;
  /** Date.now() */
  readonly at: number;
  readonly queue?: string;
  readonly job?: string;
  readonly attempt?: number;
  /** Of an effect: what had it. Of an error: its message. */
  readonly what?: string;
}

/** A connection to the tables of the load. */
export type LoadTables = Kysely<any>;

/** `db` may be of either kind. */
export async function createTables(db: LoadTables, isPostgres: boolean): Promise<void> {
  const id = isPostgres
    ? 'bigint generated always as identity primary key'
    : 'integer primary key autoincrement';
  for (const table of [
    'updates (id integer primary key, conversation integer, n integer)',
    'inbox (id integer primary key, conversation integer, n integer, begun integer)',
    `answers (id ${id}, conversation integer, n integer, state text, job text, attempt integer, host text)`,
    'schedules (id integer primary key, every integer, handled_until bigint)',
    'runs (schedule integer, due bigint, state text, begun integer, made_at bigint, primary key (schedule, due))',
    `role_writes (id ${id}, host text, job text, attempt integer)`,
  ])
    await sql.raw(`create table load_${table}`).execute(db);
}

/** Milliseconds between two occurrences of the schedule with this number, which counts from 1. */
export const intervalOf = (schedule: number, schedules: number): number =>
  250 + Math.floor(((schedule - 1) * 750) / Math.max(1, schedules - 1));
