/** The queues of jobs, and the processes that work on them. Their moments are milliseconds since 1970. */
const sqlite = `
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

/** On Postgres, pg-boss has tables of its own. */
export default { sqlite, postgres: '' };
