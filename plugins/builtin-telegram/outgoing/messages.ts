import type { ChatAddress } from '../incoming/conversation.ts';
import type { TelegramDatabase } from '../tables.ts';

/** Characters that are kept of a message: enough to know it by. */
const keptLength = 300;
const keptDays = 60;

/** Which message said what, for reactions to it. */
export interface Messages {
  keep(message: {
    readonly place: ChatAddress;
    readonly id: number;
    readonly own: boolean;
    readonly text: string;
  }): Promise<void>;
  find(
    chat: number,
    id: number,
  ): Promise<{ readonly own: boolean; readonly text: string; readonly place: ChatAddress } | undefined>;
  /** The highest id that is known among messages that share a count with this chat's. */
  last(chat: number): Promise<number>;
  /** Also of those that are being written, and of questions. */
  isKnown(chat: number, id: number): Promise<boolean>;
  purge(): Promise<void>;
}

/** Supergroups count their own messages; all other chats of a bot share one count. */
const isSupergroup = (chat: number): boolean => chat < firstSupergroup;
const firstSupergroup = -1_000_000_000_000;

export function createMessages(database: () => Promise<TelegramDatabase>): Messages {
  return {
    async keep({ place, id, own, text }) {
      const row = {
        chat: place.chat,
        topic: place.topic ?? null,
        id,
        own: own ? 1 : 0,
        text: text.slice(0, keptLength),
        at: new Date().toISOString(),
      };
      await (
        await database()
      )
        .insertInto('telegram_messages')
        .values(row)
        .onConflict((conflict) => conflict.columns(['chat', 'id']).doUpdateSet({ text: row.text }))
        .execute();
    },
    async find(chat, id) {
      const found = await (
        await database()
      )
        .selectFrom('telegram_messages')
        .select(['own', 'text', 'topic'])
        .where('chat', '=', chat)
        .where('id', '=', id)
        .executeTakeFirst();
      if (!found) return undefined;
      const { own, text, topic } = found;
      return { own: own === 1, text, place: { chat, ...(topic !== null && { topic }) } };
    },
    async last(chat) {
      const open = await database();
      const { last } = await open
        .selectFrom('telegram_messages')
        .select(({ fn }) => fn.max('id').as('last'))
        .$if(isSupergroup(chat), (query) => query.where('chat', '=', chat))
        .$if(!isSupergroup(chat), (query) => query.where('chat', '>=', firstSupergroup))
        .executeTakeFirstOrThrow();
      return last ?? 0;
    },
    async isKnown(chat, id) {
      const open = await database();
      const found = await open
        .selectFrom('telegram_messages')
        .select('id')
        .where('chat', '=', chat)
        .where('id', '=', id)
        .unionAll(
          open
            .selectFrom('telegram_asks')
            .select('message as id')
            .where('chat', '=', chat)
            .where('message', '=', id)
            .$narrowType<{ id: number }>(),
        )
        .executeTakeFirst();
      return found !== undefined;
    },
    async purge() {
      const before = new Date(Date.now() - keptDays * 86_400_000).toISOString();
      const open = await database();
      await open.deleteFrom('telegram_messages').where('at', '<', before).execute();
      await open.deleteFrom('telegram_buttons').where('created_at', '<', before).execute();
    },
  };
}
