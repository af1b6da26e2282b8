/** The first tables. The full-text indexes use English stemming and ignore case and accents. */
export const memoryMigration = `
create table memories (
  id integer primary key autoincrement,
  content text not null,
  category text not null,
  tags text not null,
  origin text not null check (origin in ('told', 'observed')),
  created_at text not null,
  expires_at text,
  archived_at text,
  superseded_by integer references memories,
  graphed_at text
) strict;
create index memories_alive on memories (id) where archived_at is null and superseded_by is null;
create index memories_by_content on memories (content collate nocase);
create index memories_superseded on memories (superseded_by) where superseded_by is not null;

create table memory_sources (
  memory_id integer not null references memories on delete cascade,
  message_id integer not null,
  primary key (memory_id, message_id)
) strict, without rowid;

create virtual table memories_fts using fts5 (
  content, labels, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

create table memory_vectors (
  id integer primary key autoincrement,
  memory_id integer not null unique references memories on delete cascade,
  vector blob not null
) strict;
create table memory_reembedding (
  id integer primary key check (id = 1),
  done_until integer not null
) strict;

create table memory_progress (
  conversation_id integer primary key,
  indexed_until integer not null,
  observed_until integer not null
) strict;

create table memory_observations (
  id integer primary key autoincrement,
  conversation_id integer not null,
  text text not null,
  priority text not null check (priority in ('high', 'medium', 'low')),
  category text not null,
  sources text not null,
  created_at text not null,
  condensed integer not null check (condensed in (0, 1)),
  promoted_at text,
  memory_id integer references memories on delete set null,
  retired_at text
) strict;
create index memory_observations_active on memory_observations (conversation_id, id) where retired_at is null;
create index memory_observations_of on memory_observations (memory_id) where memory_id is not null;

create table memory_sessions (
  id integer primary key autoincrement,
  conversation_id integer not null,
  source text not null,
  started_at text not null,
  last_at text not null,
  turns integer not null
) strict;
create index memory_sessions_by_conversation on memory_sessions (conversation_id, id);
create virtual table memory_sessions_fts using fts5 (
  text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
);

create table memory_turns (
  message_id integer primary key,
  session_id integer not null references memory_sessions on delete cascade,
  position integer not null,
  role text not null check (role in ('user', 'assistant')),
  at text not null,
  unique (session_id, position)
) strict;
create virtual table memory_turns_fts using fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2');

create table memory_graph_nodes (
  id integer primary key autoincrement,
  key text not null unique,
  name text not null,
  kind text not null,
  vector blob
) strict;
create table memory_graph_edges (
  id integer primary key autoincrement,
  from_id integer not null references memory_graph_nodes on delete cascade,
  to_id integer not null references memory_graph_nodes on delete cascade,
  relation text not null,
  memory_id integer not null references memories on delete cascade,
  unique (from_id, to_id, relation, memory_id)
) strict;
create index memory_graph_edges_to on memory_graph_edges (to_id);
create index memory_graph_edges_of on memory_graph_edges (memory_id);
create table memory_graph_mentions (
  node_id integer not null references memory_graph_nodes on delete cascade,
  memory_id integer not null references memories on delete cascade,
  primary key (node_id, memory_id)
) strict, without rowid;
create index memory_graph_mentions_of on memory_graph_mentions (memory_id);
`;

/**
 * Languages without spaces are indexed by pairs of characters, in a separate column that is empty for other languages.
 * The index of past messages is rebuilt on next use.
 */
export const gramMigration = `
drop table memory_turns_fts;
create virtual table memory_turns_fts using fts5 (text, grams, tokenize = 'porter unicode61 remove_diacritics 2');
delete from memory_turns;
delete from memory_sessions;
insert into memory_sessions_fts (memory_sessions_fts) values ('delete-all');
update memory_progress set indexed_until = 0;
`;

/** The names of a plugin's tables, indexes and triggers begin with the name of a pack. */
export const renameMigration = `
drop index memories_alive;
drop index memories_by_content;
drop index memories_superseded;
alter table memories rename to memory_memories;
create index memory_memories_alive on memory_memories (id) where archived_at is null and superseded_by is null;
create index memory_memories_by_content on memory_memories (content collate nocase);
create index memory_memories_superseded on memory_memories (superseded_by) where superseded_by is not null;
alter table memories_fts rename to memory_memories_fts;
`;

/**
 * On Postgres, the vectors once more, in a type that the extension `vector` reads. Filled where that is installed; the
 * table doesn't need it.
 */
export const vectorNumbersMigration = `
create table memory_vector_numbers (
  vector_id bigint primary key references memory_vectors on delete cascade,
  length integer not null,
  numbers real[] not null
);
alter table memory_vector_numbers alter column numbers set storage external;
`;
