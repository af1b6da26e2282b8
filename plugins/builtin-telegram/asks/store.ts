import { createHash, randomBytes } from 'node:crypto';
import { toJson } from 'pegboard';
import type { Selectable } from 'kysely';
import type { AskState, TelegramDatabase, TelegramTables } from '../tables.ts';

export type StoredAsk = Selectable<TelegramTables['telegram_asks']>;

/** Whose question, where. */
export interface AskPrincipal {
  /** The update whose turn asks the question. */
  readonly update: number;
  readonly chat: number;
  readonly user: number;
}

/** Questions on disk: an answer counts once, also when the process ends between question and answer. */
export interface AskStore {
  /** Returns the question with this content if the same turn asked it before it was interrupted, or else a new one. */
  open(asker: AskPrincipal, shown: Pick<StoredAsk, 'html' | 'choices' | 'expires_at'>): Promise<StoredAsk>;
  byToken(token: string): Promise<StoredAsk | undefined>;
  /** Questions that wait for a text in this chat, newest first. */
  waitingIn(chat: number): Promise<readonly StoredAsk[]>;
  /** False: it is no longer in the state `from`. */
  move(
    token: string,
    from: AskState,
    to: AskState,
    changes?: Partial<Pick<StoredAsk, 'answer' | 'message' | 'shown_after'>>,
  ): Promise<boolean>;
  /** Unanswered or unused questions of a turn that is over. */
  leftOf(update: number): Promise<readonly StoredAsk[]>;
  /** Questions of turns that won't be resumed after their process ended. */
  orphans(): Promise<readonly StoredAsk[]>;
}

export function createAskStore(database: () => Promise<TelegramDatabase>): AskStore {
  const rows = async () => (await database()).selectFrom('telegram_asks').selectAll();
  const unused = ['open', 'decided'] as const;
  return {
    async open({ update, chat, user }, shown) {
      const hash = hashOf([update, chat, user, shown.html, shown.choices]);
      const known = await (
        await rows()
      )
        .where('hash', '=', hash)
        .where('state', 'in', unused)
        .where('expires_at', '>', new Date().toISOString())
        .executeTakeFirst();
      if (known) return known;
      return await (
        await database()
      )
        .insertInto('telegram_asks')
        .values({
          ...shown,
          token: randomBytes(16).toString('base64url'),
          update_id: update,
          chat,
          user,
          hash,
          state: 'open',
        })
        .returningAll()
        .executeTakeFirstOrThrow();
    },
    byToken: async (token) => await (await rows()).where('token', '=', token).executeTakeFirst(),
    waitingIn: async (chat) =>
      await (
        await rows()
      )
        .where('chat', '=', chat)
        .where('state', '=', 'open')
        .where('expires_at', '>', new Date().toISOString())
        .orderBy('expires_at', 'desc')
        .execute(),
    async move(token, from, to, changes = {}) {
      const moved = await (
        await database()
      )
        .updateTable('telegram_asks')
        .set({ ...changes, state: to })
        .where('token', '=', token)
        .where('state', '=', from)
        .returning('token')
        .executeTakeFirst();
      return moved !== undefined;
    },
    leftOf: async (update) =>
      await (await rows()).where('update_id', '=', update).where('state', 'in', unused).execute(),
    orphans: async () =>
      await (
        await rows()
      )
        .where('state', 'in', unused)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('telegram_updates')
                .select('telegram_updates.id')
                .whereRef('telegram_updates.id', '=', 'telegram_asks.update_id')
                .where('telegram_updates.state', 'in', ['new', 'working']),
            ),
          ),
        )
        .execute(),
  };
}

const hashOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(toJson(parts)).digest('base64url');
