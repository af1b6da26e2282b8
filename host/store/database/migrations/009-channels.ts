export default `
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
  unique (channel, account, event)
);
create index channel_events_open on channel_events (channel, account) where state != 'done';
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
  expires_at text not null
);
create table channel_buttons (
  token text primary key,
  channel text not null,
  chat text not null,
  texts text not null,
  created_at text not null,
  used_by integer
);
`;
