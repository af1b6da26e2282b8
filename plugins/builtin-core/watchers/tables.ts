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
  /** Seconds between two looks. */
  readonly interval_s: number;
  /** `change`: acts when something is different; `interval`: each time it has looked. */
  readonly acts_on: 'change' | 'interval';
  /** JSON of Action. */
  readonly action: string;
  /** JSON of WatcherRights. */
  readonly rights: string;
  readonly creator: string;
  /** Null: nobody is told. */
  readonly channel: string | null;
  readonly chat: string | null;
  /** JSON of what others wrote and the turn that made it had read; null: nothing. */
  readonly untrusted: string | null;
  readonly state: 'active' | 'paused' | 'stopped';
  /** What it saw last; null before the first look. */
  readonly seen: string | null;
  readonly checked_at: string | null;
  readonly next_at: string;
  /** In a row. */
  readonly failures: number;
  readonly last_error: string | null;
  readonly created_at: string;
  /** Grows with each look and change: of several hosts one acts. */
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
  /** Of what was done then; `none`: nothing was to be done. */
  readonly outcome: 'none' | 'running' | 'done' | 'failed' | 'uncertain';
  /** What came of it, or why it failed. */
  readonly detail: string | null;
  readonly owner: string;
}
export type HistoryEntry = Selectable<HistoryTable>;

/** What is looked at. */
export type Target =
  | { readonly kind: 'files'; readonly pattern: string }
  | {
      readonly kind: 'tool';
      readonly tool: string;
      readonly args: unknown;
      /** The part of a JSON result that counts: "items[0].price". */
      readonly path?: string;
    };

/** What is done then. */
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
