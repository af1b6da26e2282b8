import type { Generated } from 'kysely';

/** Times are ISO 8601 in UTC, with milliseconds, so that they sort as text. */
export interface ScheduleTables {
  readonly scheduler_schedules: SchedulesTable;
  readonly scheduler_runs: RunsTable;
  readonly scheduler_host: HostTable;
}

export interface SchedulesTable {
  readonly id: Generated<number>;
  /** `instruction`: an agent carries it out. `message`: the text itself is sent. */
  readonly kind: 'instruction' | 'message';
  readonly text: string;
  /** Exactly one of the two. */
  readonly cron: string | null;
  readonly run_at: string | null;
  /** The IANA time zone of `cron`. */
  readonly timezone: string;
  readonly catch_up: CatchUp;
  /** Null: the home's default agent. */
  readonly agent: string | null;
  /** Who may see and cancel it, besides the owner. */
  readonly creator: string;
  /** Where replies are sent. Null: they are only stored. */
  readonly channel: string | null;
  readonly chat: string | null;
  /** JSON of `Scope.within` of the creating call. Null: it had none. */
  readonly limits: string | null;
  /** JSON of the origins of untrusted content that the creating turn had read. Null: none. */
  readonly untrusted: string | null;
  readonly created_at: string;
  /** All occurrences up to this time are handled. */
  readonly handled_until: string;
  readonly state: 'active' | 'done' | 'cancelled';
  /** An active schedule is not due while this is set. */
  readonly paused_at: string | null;
  /** When somebody asked for a run at once, beside those that are due; null once it has begun. */
  readonly asked_at: string | null;
}

/** How missed occurrences are handled: the last one runs late, none runs, or each runs. */
export type CatchUp = 'run_once' | 'skip' | 'all';

export interface RunsTable {
  readonly id: Generated<number>;
  readonly schedule_id: number;
  /** Unique together with the schedule, so an occurrence runs at most once. */
  readonly due_at: string;
  /** `uncertain`: the process died while something ran that may have had an effect; it is not run again. */
  readonly state: RunState;
  /** Earlier missed occurrences that this run replaces. */
  readonly missed: number;
  readonly started_at: string;
  readonly ended_at: string | null;
  /** Its job in the queue. Null: it has none, because it was skipped, or claimed by an older version. */
  readonly job: Generated<string | null>;
  /** The reply that was or will be sent. */
  readonly reply: string | null;
  /** Why it failed, or ended early. */
  readonly error: string | null;
  readonly delivery: DeliveryState;
  readonly delivery_error: string | null;
  /** 1: sending the reply has begun. If it is pending, it may have arrived. */
  readonly sending: Generated<number>;
  /** JSON of the origins of untrusted content in the reply. Null: none. */
  readonly untrusted: string | null;
}

export type RunState = 'running' | 'done' | 'failed' | 'skipped' | 'uncertain';
/** `none`: the schedule has no chat to send it to. */
export type DeliveryState = 'none' | 'pending' | 'delivered' | 'failed';

/** One row: when a host last checked the schedules. */
interface HostTable {
  readonly id: number;
  readonly seen_at: string;
}

export const scheduleMigration = `
create table scheduler_schedules (
  id integer primary key autoincrement,
  kind text not null check (kind in ('instruction', 'message')),
  text text not null,
  cron text,
  run_at text,
  timezone text not null,
  catch_up text not null check (catch_up in ('run_once', 'skip', 'all')),
  agent text,
  creator text not null,
  channel text,
  chat text,
  created_at text not null,
  handled_until text not null,
  state text not null check (state in ('active', 'done', 'cancelled')),
  check ((cron is null) <> (run_at is null)),
  check ((channel is null) = (chat is null))
) strict;
create index scheduler_active on scheduler_schedules (id) where state = 'active';

create table scheduler_runs (
  id integer primary key autoincrement,
  schedule_id integer not null references scheduler_schedules on delete cascade,
  due_at text not null,
  state text not null check (state in ('running', 'done', 'failed', 'skipped', 'uncertain')),
  missed integer not null,
  started_at text not null,
  ended_at text,
  owner text not null,
  reply text,
  error text,
  delivery text not null check (delivery in ('none', 'pending', 'delivered', 'failed')),
  delivery_error text,
  unique (schedule_id, due_at)
) strict;
create index scheduler_open on scheduler_runs (schedule_id) where state = 'running' or delivery = 'pending';

create table scheduler_host (
  id integer primary key check (id = 1),
  owner text not null,
  seen_at text not null
) strict;
`;

export const untrustedMigration = `
alter table scheduler_schedules add column untrusted text;
alter table scheduler_runs add column untrusted text;
`;

export const pauseMigration = `
alter table scheduler_schedules add column paused_at text;
`;

export const askMigration = `
alter table scheduler_schedules add column asked_at text;
`;

export const queueMigration = `
alter table scheduler_runs add column job text;
alter table scheduler_runs add column sending integer not null default 0;
alter table scheduler_runs drop column owner;
alter table scheduler_host drop column owner;
`;

export const limitsMigration = `
alter table scheduler_schedules add column limits text;
`;
