/** The first tables. */
export default `
create table conversations (
  id integer primary key autoincrement,
  source text not null,
  external_id text not null,
  started_at text not null,
  ended_at text
) strict;
create unique index conversations_open on conversations (source, external_id) where ended_at is null;

create table messages (
  id integer primary key autoincrement,
  conversation_id integer not null references conversations on delete cascade,
  role text not null check (role in ('user', 'assistant')),
  text text not null,
  attachments text,
  external_id text,
  agent text,
  state text not null check (state in ('done', 'running', 'interrupted')),
  stopped text,
  owner text,
  created_at text not null
) strict;
create index messages_by_conversation on messages (conversation_id, id);
create index messages_running on messages (owner) where state = 'running';

create table tool_calls (
  id integer primary key autoincrement,
  message_id integer not null references messages on delete cascade,
  call_id text not null,
  tool text not null,
  args text not null,
  result text not null,
  ok integer not null check (ok in (0, 1)),
  ms real not null
) strict;
create index tool_calls_by_message on tool_calls (message_id);

create table usage (
  id integer primary key autoincrement,
  day text not null,
  at text not null,
  agent text not null,
  model text not null,
  source text not null,
  conversation_id integer references conversations on delete set null,
  input integer not null,
  output integer not null,
  cached integer not null,
  cost real
) strict;
create index usage_by_day on usage (day, agent);
create index usage_by_conversation on usage (conversation_id);

create table reservations (
  id integer primary key autoincrement,
  day text not null,
  at text not null,
  agent text not null,
  amount real not null,
  owner text not null
) strict;

create table embeddings (
  model text not null,
  hash text not null,
  vector blob not null,
  primary key (model, hash)
) strict;

create table jobs (
  id integer primary key autoincrement,
  tool text not null,
  args text not null,
  starter text not null,
  conversation_id integer references conversations on delete set null,
  state text not null check (state in ('running', 'done', 'failed', 'cancelled', 'interrupted')),
  result text,
  owner text not null,
  started_at text not null,
  ended_at text
) strict;
create index jobs_by_starter on jobs (starter, id);
`;
