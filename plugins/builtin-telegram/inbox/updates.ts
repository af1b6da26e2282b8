import { parseJson, toJson } from 'pegboard';
import type { OutgoingPart } from '../outgoing/parts.ts';
import type { Update } from 'grammy/types';
import { sql, type Selectable } from 'kysely';
import { conversationOf, addressNamed, type ChatAddress } from '../incoming/conversation.ts';
import { doubtfulParts, readFailed } from '../outgoing/failed-parts.ts';
import type { Messages } from '../outgoing/messages.ts';
import type { TelegramDatabase, TelegramTables, UpdateState } from '../tables.ts';

export type StoredUpdate = Selectable<TelegramTables['telegram_updates']>;
type Changes = Partial<Omit<StoredUpdate, 'bot' | 'id'>>;

/** Days that what is done is kept, so that Telegram can't bring it twice. */
const keptDays = 2;

/** Everything that Telegram sent: on disk before Telegram is told that it arrived. */
export interface Updates {
  /** Those that are new, in order. Written through to the disk, not only to the operating system. */
  store(updates: readonly Update[]): Promise<readonly StoredUpdate[]>;
  /** Those that are not done, oldest first. */
  open(): Promise<readonly StoredUpdate[]>;
  change(id: number, changes: Changes): Promise<void>;
  /** What is to be sent for it stands from here on, and `others` were answered along with it: all at once. */
  answered(id: number, parts: string, others: readonly number[]): Promise<void>;
  /**
   * Takes the parts of which nobody knows whether they arrived as what is to be sent, once. Undefined: there is nothing
   * of the kind in this chat any more.
   */
  sendAgain(id: number, chat: number): Promise<StoredUpdate | undefined>;
  /** Forgets what is long done. */
  purge(): Promise<void>;
}

export function createUpdates(
  database: () => Promise<TelegramDatabase>,
  bot: number,
  messages: Pick<Messages, 'find'>,
): Updates {
  const placeOfMessage = async (chat: number, id: number): Promise<ChatAddress | undefined> =>
    (await messages.find(chat, id))?.place;
  const rows = async () => (await database()).selectFrom('telegram_updates').where('bot', '=', bot);
  return {
    async store(updates) {
      if (updates.length === 0) return [];
      const conversations = await Promise.all(
        updates.map((update) => conversationOf(update, placeOfMessage)),
      );
      const values = updates.map((update, index) => ({
        bot,
        id: update.update_id,
        conversation: conversations[index]!,
        body: toJson(update),
        received_at: new Date().toISOString(),
        state: 'new' as UpdateState,
        sending: 0,
        sent: 0,
        told: 0,
      }));
      return await (await database()).connection().execute(async (connection) => {
        // A power cut must not take back what Telegram has been told.
        await sql`pragma synchronous = full`.execute(connection);
        try {
          const stored = await connection
            .insertInto('telegram_updates')
            .values(values)
            .onConflict((conflict) => conflict.columns(['bot', 'id']).doNothing())
            .returningAll()
            .execute();
          return stored.toSorted((one, other) => one.id - other.id);
        } finally {
          await sql`pragma synchronous = normal`.execute(connection);
        }
      });
    },
    open: async () =>
      await (
        await rows()
      )
        .selectAll()
        .where((where) =>
          where.or([
            where('state', 'in', ['new', 'working', 'answered']),
            where.and([where('state', '=', 'uncertain'), where('told', '=', 0)]),
          ]),
        )
        .orderBy('id')
        .execute(),
    async change(id, changes) {
      await (
        await database()
      )
        .updateTable('telegram_updates')
        .set(changes)
        .where('bot', '=', bot)
        .where('id', '=', id)
        .execute();
    },
    async answered(id, parts, others) {
      const open = await database();
      await open.transaction().execute(async (transaction) => {
        const table = transaction.updateTable('telegram_updates').where('bot', '=', bot);
        await table.set({ state: 'answered', parts, sent: 0 }).where('id', '=', id).execute();
        if (others.length > 0) await table.set({ state: 'done' }).where('id', 'in', others).execute();
      });
    },
    async sendAgain(id, chat) {
      const found = await (await rows()).selectAll().where('id', '=', id).executeTakeFirst();
      if (!found?.parts || addressNamed(found.conversation)?.chat !== chat) return undefined;
      const parts = toJson(
        doubtfulParts(parseJson(found.parts) as readonly OutgoingPart[], readFailed(found)),
      );
      return await (
        await database()
      )
        .updateTable('telegram_updates')
        .set({ state: 'answered', parts, sent: 0, failed: null, told: 0 })
        .where('bot', '=', bot)
        .where('id', '=', id)
        .where('state', '=', 'uncertain')
        .returningAll()
        .executeTakeFirst();
    },
    async purge() {
      const before = new Date(Date.now() - keptDays * 86_400_000).toISOString();
      const open = await database();
      await open
        .deleteFrom('telegram_updates')
        .where('state', 'in', ['done', 'uncertain'])
        .where('received_at', '<', before)
        .execute();
      await open.deleteFrom('telegram_asks').where('expires_at', '<', before).execute();
    },
  };
}
