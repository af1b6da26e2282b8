/** Questions get more answers than "once" and "always". Open ones have ended with their process. */
export default `
drop table questions;
create table questions (
  id integer primary key autoincrement,
  tool text not null,
  message text not null,
  detail text,
  choices text not null,
  asker text not null,
  agent text,
  unattended integer not null default 0 check (unattended in (0, 1)),
  binding text not null,
  owner text not null,
  asked_at text not null,
  expires_at text not null,
  decision text check (decision in ('once', 'file', 'folder', 'conversation', 'always', 'no', 'ended', 'lost')),
  decided_by text,
  decided_at text,
  used_at text
) strict;
create index questions_open on questions (id) where decision is null;
`;
