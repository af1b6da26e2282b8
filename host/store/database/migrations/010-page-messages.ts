/** What was written and sent in the chats of the page in the browser. */
export default `
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
`;
