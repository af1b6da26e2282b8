/** The queues of jobs, and the processes that work on them. On Postgres, pg-boss has tables of its own. */
export const sqliteOnly = `
create table engine_hosts (
  id text primary key,
  owner text not null,
  seen_at integer not null
) strict;

create table engine_jobs (
  id integer primary key autoincrement,
  queue text not null,
  key text,
  data text not null,
  priority integer not null,
  at integer not null,
  state text not null,
  attempt integer not null default 0,
  host text,
  result text,
  error text,
  ended_at integer
) strict;
create index engine_jobs_waiting on engine_jobs (queue, at) where state = 'waiting';
create index engine_jobs_open on engine_jobs (queue, key, id) where state in ('waiting', 'running');
create index engine_jobs_running on engine_jobs (host) where state = 'running';
create index engine_jobs_ended on engine_jobs (queue, ended_at) where ended_at is not null;
`;

/**
 * What several hosts of one state share. `shared_documents` and `artifacts` are files of the home where its state is on
 * SQLite; documents are bytes, since texts are redacted when they are written. The functions are SQLite's.
 */
export const postgresOnly = `
create table host_files (
  host text primary key,
  files text not null,
  noted_at text not null
);

create table mcp_texts (
  name text primary key,
  text text not null
);

create table mcp_ended_sessions (
  session text primary key,
  ended_at timestamptz not null default now()
);

create table mcp_logins (
  number bigint generated always as identity,
  kind text not null,
  key text not null,
  client text,
  login text,
  payload text not null,
  consumed_at bigint,
  expires_at bigint,
  primary key (kind, key)
);
create index mcp_logins_by_login on mcp_logins (login);
create index mcp_logins_by_expiry on mcp_logins (expires_at);

create table mcp_hosts (
  address text primary key,
  owner text not null,
  code text
);

create table mcp_mail (
  id bigint generated always as identity primary key,
  recipient text not null,
  sender text not null,
  thread text not null,
  body text not null,
  sent_at timestamptz not null default now()
);
create index mcp_mail_by_recipient on mcp_mail (recipient, id);

create table shared_documents (
  name text primary key,
  content bytea not null,
  version bigint not null,
  changed_at timestamptz not null
);

create table artifacts (
  id text primary key,
  content text not null,
  bytes integer not null,
  written_at text not null
);
create index artifacts_by_time on artifacts (written_at);

create function instr(text, text) returns integer language sql immutable as 'select strpos($1, $2)';
create function instr(text, bytea) returns integer language sql stable
  as 'select position($2 in convert_to($1, ''UTF8''))';
create function json_array_length(text) returns integer language sql immutable
  as 'select json_array_length($1::json)';
create function json_each(text) returns table (value numeric) language sql immutable
  as 'select value::numeric from json_array_elements_text($1::json)';
`;
