/**
 * In SQLite's words. `channel_holds`: accounts and chats whose service refuses everything for now. `channel_moves`: chats that
 * the service calls otherwise than the home.
 */
export const channelTables = `
create table channel_events (
  id integer primary key autoincrement,
  channel text not null,
  account text not null,
  event text not null,
  conversation text not null,
  body text not null,
  received_at text not null,
  state text not null default 'new' check (state in ('new', 'working', 'answered', 'done', 'uncertain')),
  sending integer not null default 0,
  draft text,
  draft_mark text,
  parts text,
  sent integer not null default 0,
  failed text,
  told integer not null default 0,
  job text,
  begun integer not null default 0,
  joined integer,
  rewritten integer not null default 0,
  threaded integer not null default 0,
  stop_asked integer not null default 0,
  unique (channel, account, event)
);
create index channel_events_open on channel_events (channel, account) where state != 'done';
create index channel_events_joined on channel_events (joined) where joined is not null;
create index channel_events_working on channel_events (channel, conversation) where state = 'working';

create table channel_messages (
  channel text not null,
  chat text not null,
  id text not null,
  topic text,
  own integer not null,
  text text not null,
  at text not null,
  primary key (channel, chat, id)
);

create table channel_people (
  channel text not null,
  id text not null,
  name text not null,
  paired_at text not null,
  primary key (channel, id)
);

create table channel_codes (
  channel text not null,
  person text not null,
  name text not null,
  code text not null,
  tries integer not null default 0,
  created_at text not null,
  primary key (channel, person),
  unique (channel, code)
);

create table channel_asks (
  token text primary key,
  channel text not null,
  event integer not null,
  chat text not null,
  topic text,
  person text not null,
  hash text not null,
  blocks text not null,
  choices text,
  message text,
  mark text,
  state text not null check (state in ('open', 'decided', 'used', 'closed')),
  answer text,
  expires_at text not null,
  step text
);

create table channel_buttons (
  token text primary key,
  channel text not null,
  chat text not null,
  texts text not null,
  created_at text not null,
  used_by integer
);

create table page_messages (
  id integer primary key autoincrement,
  chat text not null,
  key text not null,
  own integer not null,
  text text not null,
  blocks text,
  buttons text,
  link text,
  answer integer,
  at text not null,
  version integer not null,
  unique (chat, key)
) strict;
create index page_messages_by_chat on page_messages (chat, id);
create index page_messages_by_version on page_messages (version);

create table page_files (
  id text primary key,
  message integer references page_messages (id),
  name text not null,
  type text not null,
  bytes integer not null,
  at text not null
) strict;
create index page_files_by_message on page_files (message);

create table channel_positions (
  channel text not null,
  account text not null,
  position text not null,
  primary key (channel, account)
) strict;

create table channel_holds (
  channel text not null,
  account text not null,
  chat text not null,
  reason text not null,
  since text not null,
  tries integer not null default 0,
  next_at integer not null,
  probe integer,
  told integer not null default 0,
  primary key (channel, account, chat)
) strict;

create table channel_moves (
  channel text not null,
  account text not null,
  chat text not null,
  moved_to text not null,
  primary key (channel, account, chat)
) strict;
`;
