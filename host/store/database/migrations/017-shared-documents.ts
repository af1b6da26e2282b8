/**
 * What is a file of each home where its state is on SQLite: documents such as approvals and sealed secrets, and artifacts.
 * Documents are bytes, since texts are redacted when they are written.
 */
const postgres = `
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
`;

export default { sqlite: '', postgres };
