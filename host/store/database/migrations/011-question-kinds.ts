/** Questions get other kinds than confirmations. Their numbers go on. */
export default `
create table new_questions (
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
insert into new_questions (
  id, tool, message, detail, notes, choices, asker, agent, unattended, binding, owner, asked_at, expires_at,
  decision, decided_by, decided_at, used_at
)
select
  id, tool, message, detail, notes, choices, asker, agent, unattended, binding, owner, asked_at, expires_at,
  decision, decided_by, decided_at, used_at
from questions;
drop table questions;
alter table new_questions rename to questions;
create index questions_open on questions (id) where decision is null;
create table question_watchers (
  owner text primary key,
  since text not null
) strict;
`;
