import type { Kysely } from 'kysely';
import { dialectOf, type PluginContext, type PluginDatabase, type PluginMigration } from 'pegboard';

/** Telegram's own tables, before all channels shared theirs. */
const sqlite: readonly string[] = [
  `
create table telegram_updates (
  bot integer not null,
  id integer not null,
  conversation text not null,
  body text not null,
  received_at text not null,
  state text not null default 'new' check (state in ('new', 'working', 'answered', 'done', 'uncertain')),
  acted integer not null default 0,
  sending integer not null default 0,
  draft integer,
  parts text,
  sent integer not null default 0,
  told integer not null default 0,
  primary key (bot, id)
);
create index telegram_updates_open on telegram_updates (state) where state != 'done';
create table telegram_messages (
  chat integer not null,
  id integer not null,
  own integer not null,
  text text not null,
  at text not null,
  primary key (chat, id)
);
create table telegram_users (id integer primary key, name text not null, paired_at text not null);
create table telegram_pairings (
  user integer primary key,
  name text not null,
  code text not null unique,
  tries integer not null default 0,
  created_at text not null
);
create table telegram_asks (
  token text primary key,
  update_id integer not null,
  chat integer not null,
  user integer not null,
  hash text not null,
  html text not null,
  choices text,
  message integer,
  state text not null check (state in ('open', 'decided', 'used', 'closed')),
  answer text,
  expires_at text not null
);
create table telegram_buttons (
  token text primary key,
  chat integer not null,
  texts text not null,
  created_at text not null,
  used_by integer
);
`,
  'alter table telegram_messages add column topic integer;',
  'alter table telegram_updates add column failed text;',
  `
alter table telegram_updates add column draft_after integer;
alter table telegram_asks add column shown_after integer;
`,
  'alter table telegram_updates drop column acted;',
];

/** On Postgres, there never were any. */
export const migrations: readonly PluginMigration[] = sqlite.map((script) => ({
  sqlite: script,
  postgres: '',
}));

/**
 * Moves their rows to the tables that all channels share, and drops them. Open questions are not moved, because their
 * format differs: their turns ask again.
 */
const handOver: readonly string[] = [
  `insert into channel_events (
  id, channel, account, event, conversation, body, received_at, state, sending, draft, draft_mark, parts, sent, failed, told
)
select case when is_free then id end, 'telegram', cast(bot as text), cast(id as text), conversation, body, received_at,
  state, sending, cast(draft as text), cast(draft_after as text),
  case when parts is not null then (
    select json_group_array(json_patch('{}', json_object(
      'kind', case when value ->> 'kind' in ('photo', 'document') then 'file' else value ->> 'kind' end,
      'text', value ->> 'plain',
      'markup', value ->> 'html',
      'replyTo', cast(value ->> 'replyTo' as text),
      'edits', cast(value ->> 'edits' as text),
      'answer', value ->> 'answer',
      'name', value ->> 'name',
      'mimeType', case value ->> 'kind' when 'photo' then 'image/jpeg' when 'document' then '' end,
      'data', value ->> 'data',
      'message', cast(value ->> 'message' as text),
      'emoji', value ->> 'emoji',
      'called', value ->> 'called'
    ))) from json_each(parts)
  ) end, sent, failed, told
from (
  select *, row_number() over (partition by id order by bot) = 1
    and not exists (select 1 from channel_events where channel_events.id = telegram_updates.id) as is_free
  from telegram_updates
)
order by is_free desc, id`,
  `insert into channel_messages (channel, chat, id, topic, own, text, at)
  select 'telegram', cast(chat as text), cast(id as text), cast(topic as text), own, text, at
  from telegram_messages order by at, id`,
  `insert into channel_people (channel, id, name, paired_at)
  select 'telegram', cast(id as text), name, paired_at from telegram_users`,
  `insert into channel_codes (channel, person, name, code, tries, created_at)
  select 'telegram', cast(user as text), name, code, tries, created_at from telegram_pairings`,
  `insert into channel_buttons (token, channel, chat, texts, created_at, used_by)
  select token, 'telegram', cast(chat as text), texts, created_at, used_by from telegram_buttons`,
  'drop table telegram_updates',
  'drop table telegram_messages',
  'drop table telegram_users',
  'drop table telegram_pairings',
  'drop table telegram_asks',
  'drop table telegram_buttons',
];

/** Opens the home's database, after moving the rows of Telegram's own tables. */
export function openTables(context: Pick<PluginContext, 'database'>): PluginDatabase<unknown> {
  const tables = context.database<unknown>(migrations);
  let opening: Promise<Kysely<unknown>> | undefined;
  const open = async (): Promise<Kysely<unknown>> => {
    const database = await tables.open();
    if (dialectOf(database).kind === 'sqlite') await moveOut(database);
    return database;
  };
  return {
    isThere: () => tables.isThere(),
    open() {
      opening ??= open().catch((cause: unknown) => {
        opening = undefined;
        throw cause;
      });
      return opening;
    },
  };
}

async function moveOut(database: Kysely<unknown>): Promise<void> {
  const { sql } = await import('kysely');
  const old = sql`select 1 from sqlite_schema where name = 'telegram_updates'`;
  if ((await old.execute(database)).rows.length === 0) return;
  await database.transaction().execute(async (transaction) => {
    // Another process may have moved them already.
    if ((await old.execute(transaction)).rows.length === 0) return;
    for (const statement of handOver) await sql.raw(statement).execute(transaction);
  });
}
