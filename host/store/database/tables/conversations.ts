/**
 * In SQLite's words. Turns of a conversation are `messages`, and `model_replies` the replies of models whose calls run.
 * `paused_calls`: what calls that wait for a person need to go on in another process; they are bytes, which a redactor can't
 * search, so all rows are deleted when a secret is stored.
 */
export const conversationTables = `
create table conversations (
  id integer primary key autoincrement,
  source text not null,
  external_id text not null,
  started_at text not null,
  ended_at text,
  title text,
  parent_id integer,
  parent_until integer,
  summary text,
  summary_until integer,
  summary_untrusted text,
  folder text
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
  created_at text not null,
  untrusted text,
  turn_key text,
  preamble text,
  active_at text,
  attempts integer not null default 1,
  crashes integer not null default 0
) strict;
create index messages_by_conversation on messages (conversation_id, id);
create index messages_running on messages (owner) where state = 'running';
create index messages_by_external_id on messages (external_id) where external_id is not null;
create unique index messages_turn_key on messages (turn_key) where turn_key is not null;

create table tool_calls (
  id integer primary key autoincrement,
  message_id integer not null references messages on delete cascade,
  call_id text not null,
  tool text not null,
  args text not null,
  result text not null,
  ok integer not null check (ok in (0, 1)),
  ms real not null,
  ended integer not null default 1,
  round integer,
  content text,
  uncertain integer not null default 0
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
  ended_at text,
  channel text,
  chat text,
  announcement text check (announcement in ('sending', 'delivered', 'failed')),
  reported integer not null default 0,
  cancel_asked integer not null default 0
) strict;
create index jobs_by_starter on jobs (starter, id);
create index jobs_unannounced on jobs (id) where channel is not null and announcement is null;

create table questions (
  id integer primary key autoincrement,
  kind text not null default 'confirm'
    check (kind in ('confirm', 'form', 'url', 'dialog', 'files', 'notification')),
  tool text not null,
  message text not null,
  asked text,
  detail text,
  notes text,
  choices text not null,
  asker text not null,
  agent text,
  unattended integer not null default 0 check (unattended in (0, 1)),
  binding text not null,
  owner text not null,
  asked_at text not null,
  expires_at text not null,
  decision text check (
    decision in ('once', 'file', 'folder', 'conversation', 'always', 'answered', 'no', 'ended', 'lost')
  ),
  decided_by text,
  decided_at text,
  answer text,
  used_at text
) strict;
create index questions_open on questions (id) where decision is null;

create table question_watchers (
  owner text primary key,
  since text not null
) strict;

create table model_replies (
  id integer primary key autoincrement,
  message_id integer not null references messages on delete cascade,
  round integer not null,
  text text not null,
  calls text not null,
  replay text
) strict;
create unique index model_replies_by_message on model_replies (message_id, round);

create table paused_calls (
  message_id integer not null references messages on delete cascade,
  round integer not null,
  call_id text not null,
  version text not null,
  state blob not null,
  primary key (message_id, round, call_id)
) strict;
`;
