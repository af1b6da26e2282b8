import type { Generated, Selectable } from 'kysely';

/** Times are ISO 8601 in UTC, with milliseconds, so that they sort as text. */
export interface WatcherTables {
  readonly watchers_watchers: WatchersTable;
  readonly watchers_history: HistoryTable;
}

interface WatchersTable {
  readonly id: Generated<number>;
  /** JSON of Target. */
  readonly target: string;
  /** Seconds between two checks. */
  readonly interval_s: number;
  /** `change`: acts when something has changed. `interval`: acts after every check. */
  readonly acts_on: 'change' | 'interval';
  /** JSON of Action. */
  readonly action: string;
  /** JSON of WatcherRights. */
  readonly rights: string;
  readonly creator: string;
  /** Null: no messages are sent. */
  readonly channel: string | null;
  readonly chat: string | null;
  /** JSON of the origins of untrusted content that the creating turn had read. Null: none. */
  readonly untrusted: string | null;
  readonly state: 'active' | 'paused' | 'stopped';
  /** The last observed state. Null before the first check. */
  readonly seen: string | null;
  readonly checked_at: string | null;
  readonly next_at: string;
  /** Consecutive failures. */
  readonly failures: number;
  readonly last_error: string | null;
  readonly created_at: string;
  /** Incremented by each check and change, so that only one of several hosts acts. */
  readonly version: number;
}
export type Watcher = Selectable<WatchersTable>;

interface HistoryTable {
  readonly id: Generated<number>;
  readonly watcher_id: number;
  readonly at: string;
  readonly event: 'changed' | 'checked' | 'failed' | 'recovered';
  /** What was seen. */
  readonly summary: string;
  /** The outcome of the action; `none`: no action was due. */
  readonly outcome: 'none' | 'running' | 'done' | 'failed' | 'uncertain';
  /** The result of the action, or why it failed. */
  readonly detail: string | null;
  /** The job of its action. Null: it has none, or an older version performed it. */
  readonly job: Generated<string | null>;
}
export type HistoryEntry = Selectable<HistoryTable>;

/** What is watched. */
export type Target =
  | { readonly kind: 'files'; readonly pattern: string }
  | {
      readonly kind: 'tool';
      readonly tool: string;
      readonly args: unknown;
      /** The part of a JSON result to compare: "items[0].price". */
      readonly path?: string;
    };

/** What to do on an event. */
export type Action =
  | { readonly kind: 'instruction'; readonly text: string }
  | { readonly kind: 'tool'; readonly tool: string; readonly args: unknown }
  | { readonly kind: 'message'; readonly text: string };

export const watcherMigration = `
create table watchers_watchers (
  id integer primary key autoincrement,
  target text not null,
  interval_s integer not null,
  acts_on text not null check (acts_on in ('change', 'interval')),
  action text not null,
  rights text not null,
  creator text not null,
  channel text,
  chat text,
  state text not null check (state in ('active', 'paused', 'stopped')),
  seen text,
  checked_at text,
  next_at text not null,
  failures integer not null,
  last_error text,
  created_at text not null,
  version integer not null
) strict;
create index watchers_active on watchers_watchers (id) where state = 'active';

create table watchers_history (
  id integer primary key autoincrement,
  watcher_id integer not null references watchers_watchers on delete cascade,
  at text not null,
  event text not null check (event in ('changed', 'checked', 'failed', 'recovered')),
  summary text not null,
  outcome text not null check (outcome in ('none', 'running', 'done', 'failed', 'uncertain')),
  detail text,
  owner text not null
) strict;
create index watchers_history_of on watchers_history (watcher_id, id);
create index watchers_history_open on watchers_history (id) where outcome = 'running';
`;

export const untrustedMigration = `
alter table watchers_watchers add column untrusted text;
`;

export const queueMigration = `
alter table watchers_history add column job text;
alter table watchers_history drop column owner;
`;
