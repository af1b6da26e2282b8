import type { ChatAddress, KnownMessages } from 'pegboard';
import type { ChannelStore } from '../database.ts';

/** Maximum stored characters of a message: enough to recognise it. */
const keptLength = 300;
const keptDays = 60;

/** Whether a stored text is all of its message. */
export const isWhole = (text: string): boolean => text.length < keptLength;

/** The texts of recent messages, for reactions and replies to them. */
export interface Messages extends KnownMessages {
  keep(message: {
    readonly address: ChatAddress;
    readonly id: string;
    readonly own: boolean;
    readonly text: string;
  }): Promise<void>;
  find(
    chat: string,
    id: string,
  ): Promise<{ readonly own: boolean; readonly text: string; readonly address: ChatAddress } | undefined>;
  purge(): Promise<void>;
}

export function createMessages({ channel, open }: ChannelStore): Messages {
  return {
    async keep({ address, id, own, text }) {
      const row = {
        channel,
        chat: address.chat,
        topic: address.topic ?? null,
        id,
        own: own ? 1 : 0,
        text: text.slice(0, keptLength),
        at: new Date().toISOString(),
      };
      await (
        await open()
      )
        .insertInto('channel_messages')
        .values(row)
        .onConflict((conflict) => conflict.columns(['channel', 'chat', 'id']).doUpdateSet({ text: row.text }))
        .execute();
    },
    async find(chat, id) {
      const found = await (
        await open()
      )
        .selectFrom('channel_messages')
        .select(['own', 'text', 'topic'])
        .where('channel', '=', channel)
        .where('chat', '=', chat)
        .where('id', '=', id)
        .executeTakeFirst();
      if (!found) return undefined;
      const { own, text, topic } = found;
      return { own: own === 1, text, address: { chat, ...(topic !== null && { topic }) } };
    },
    async has(chat, id) {
      const database = await open();
      const found = await database
        .selectFrom('channel_messages')
        .select('id')
        .where('channel', '=', channel)
        .where('chat', '=', chat)
        .where('id', '=', id)
        .unionAll(
          database
            .selectFrom('channel_asks')
            .select('message as id')
            .where('channel', '=', channel)
            .where('chat', '=', chat)
            .where('message', '=', id)
            .$narrowType<{ id: string }>(),
        )
        .executeTakeFirst();
      return found !== undefined;
    },
    async latest() {
      const { sql } = await import('kysely');
      const database = await open();
      const { rows } = await sql<{ readonly chat: string; readonly id: string }>`
        select chat, id from channel_messages where rowid in
          (select max(rowid) from channel_messages where channel = ${channel} group by chat)`.execute(
        database,
      );
      return rows;
    },
    async purge() {
      const before = new Date(Date.now() - keptDays * 86_400_000).toISOString();
      const database = await open();
      await database
        .deleteFrom('channel_messages')
        .where('channel', '=', channel)
        .where('at', '<', before)
        .execute();
      await database
        .deleteFrom('channel_buttons')
        .where('channel', '=', channel)
        .where('created_at', '<', before)
        .execute();
    },
  };
}
