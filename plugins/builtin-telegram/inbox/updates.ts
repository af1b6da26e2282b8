import { parseJson, toJson } from 'pegboard';
import type { OutgoingPart } from '../outgoing/parts.ts';
import type { Update } from 'grammy/types';
import { sql, type Insertable, type Selectable } from 'kysely';
import { conversationOf, addressNamed, type ChatAddress } from '../incoming/conversation.ts';
import { doubtfulParts, readFailed } from '../outgoing/failed-parts.ts';
import type { Messages } from '../outgoing/messages.ts';
import type { TelegramDatabase, TelegramTables, UpdateState } from '../tables.ts';

export type StoredUpdate = Selectable<TelegramTables['telegram_updates']>;
type Changes = Partial<Omit<StoredUpdate, 'bot' | 'id'>>;

/** Days that handled updates are kept, so that one that Telegram sends again is recognised. */
const keptDays = 2;

/** Every update from Telegram, stored on disk before its receipt is confirmed to Telegram. */
export interface Updates {
  /** Stores updates and returns the new ones in order. Synced to disk before this resolves. */
  store(updates: readonly Update[]): Promise<readonly StoredUpdate[]>;
  /** The updates that are not done, oldest first. */
  open(): Promise<readonly StoredUpdate[]>;
  change(id: number, changes: Changes): Promise<void>;
  /** Stores the reply's parts and marks `others` as answered by the same reply, in one transaction. */
  answered(id: number, parts: string, others: readonly number[]): Promise<void>;
  /**
   * Queues the parts whose delivery is uncertain to be sent once more. Undefined when this chat has no such parts any
   * more.
   */
  sendAgain(id: number, chat: number): Promise<StoredUpdate | undefined>;
  /** Deletes updates that were done days ago, and expired questions. */
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
      return await insertDurably(await database(), values);
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

/** Inserts those that are not stored yet and returns them in order. A power cut must not lose what Telegram counts as delivered. */
async function insertDurably(
  database: TelegramDatabase,
  values: readonly Insertable<TelegramTables['telegram_updates']>[],
): Promise<readonly StoredUpdate[]> {
  return await database.connection().execute(async (connection) => {
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
}
