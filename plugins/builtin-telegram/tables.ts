import type { Kysely } from 'kysely';

/** Times are ISO 8601 in UTC, JSON is text, a conversation is "CHAT" or "CHAT:TOPIC". */
export interface TelegramTables {
  readonly telegram_updates: UpdatesTable;
  readonly telegram_messages: MessagesTable;
  readonly telegram_users: UsersTable;
  readonly telegram_pairings: PairingsTable;
  readonly telegram_asks: AsksTable;
  readonly telegram_buttons: ButtonsTable;
}
export type TelegramDatabase = Kysely<TelegramTables>;

/**
 * `new`: stored, nothing done. `working`: an agent is at it. `answered`: what is to be sent stands in `parts`.
 * `done`. `uncertain`: the process ended, or the connection broke, at a moment after which nobody can say whether it
 * took effect.
 */
export type UpdateState = 'new' | 'working' | 'answered' | 'done' | 'uncertain';

/** Everything that Telegram sent, until it is dealt with. */
interface UpdatesTable {
  readonly bot: number;
  readonly id: number;
  readonly conversation: string;
  /** JSON of Telegram's Update. */
  readonly body: string;
  readonly received_at: string;
  readonly state: UpdateState;
  /** 1 while a message is being sent and its delivery is unknown. */
  readonly sending: number;
  /** Id of the message in which the answer is streamed. */
  readonly draft: number | null;
  /** It may have been sent: with an id beyond this one. */
  readonly draft_after: number | null;
  /** JSON of OutgoingPart[]. */
  readonly parts: string | null;
  /** How many of them were dealt with. */
  readonly sent: number;
  /** JSON of FailedPart[]; null: none. */
  readonly failed: string | null;
  /** 1: the owner knows that it is uncertain. */
  readonly told: number;
}

/** The messages of chats, for reactions and replies. */
interface MessagesTable {
  readonly chat: number;
  readonly id: number;
  readonly topic: number | null;
  /** 1: by the bot. */
  readonly own: number;
  readonly text: string;
  readonly at: string;
}

interface UsersTable {
  readonly id: number;
  readonly name: string;
  readonly paired_at: string;
}

interface PairingsTable {
  readonly user: number;
  readonly name: string;
  readonly code: string;
  /** Wrong codes that were entered since. */
  readonly tries: number;
  readonly created_at: string;
}

/** `decided`: pressed or written, and not yet handed to the turn that asked. */
export type AskState = 'open' | 'decided' | 'used' | 'closed';

interface AsksTable {
  /** 128 random bits. */
  readonly token: string;
  /** The update whose turn asks the question. */
  readonly update_id: number;
  readonly chat: number;
  readonly user: number;
  /** A hash of the question, the user and the chat. */
  readonly hash: string;
  /** The question as HTML. */
  readonly html: string;
  /** JSON of Choice[]; null: a text is the answer. */
  readonly choices: string | null;
  readonly message: number | null;
  /** It may have been sent: with an id beyond this one. */
  readonly shown_after: number | null;
  readonly state: AskState;
  /** JSON of the value. */
  readonly answer: string | null;
  readonly expires_at: string;
}

/** Buttons under messages that were delivered: the text of the pressed one comes back as a message. */
interface ButtonsTable {
  readonly token: string;
  readonly chat: number;
  /** JSON of string[]. */
  readonly texts: string;
  readonly created_at: string;
  /** The update with the press. */
  readonly used_by: number | null;
}

export const migrations: readonly string[] = [
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
