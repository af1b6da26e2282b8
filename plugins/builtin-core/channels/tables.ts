import type { Generated } from 'kysely';

export interface ChannelTables {
  readonly channels_messages: MessagesTable;
}

/** Messages to be shown at the terminal. */
interface MessagesTable {
  readonly id: Generated<number>;
  readonly chat: string;
  readonly text: string;
  /** A JSON array of images; null without any. */
  readonly images: string | null;
  /** ISO 8601, UTC. */
  readonly sent_at: string;
}

export const channelMigration = `
create table channels_messages (
  id integer primary key autoincrement,
  chat text not null,
  text text not null,
  sent_at text not null
) strict;
`;

export const imagesMigration = `
alter table channels_messages add column images text;
`;
