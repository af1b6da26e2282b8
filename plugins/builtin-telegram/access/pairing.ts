import { randomInt } from 'node:crypto';
import type { User } from 'grammy/types';
import type { TelegramDatabase } from '../tables.ts';

/** Without what is easily mistaken. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeLength = 8;
const validMs = 10 * 60_000;
/** Wrong codes after which the open ones are void. */
const maxTries = 5;
/** Strangers who may wait at once: nobody fills the table. */
const maxPending = 50;

export interface WaitingUser {
  readonly id: number;
  readonly name: string;
  readonly code: string;
}

/** Those who were let in with a code, and those who have one. A code is for one numeric id, whatever its name is. */
export interface Pairing {
  isPaired(user: number): Promise<boolean>;
  paired(): Promise<readonly { readonly id: number; readonly name: string; readonly pairedAt: string }[]>;
  waiting(): Promise<readonly WaitingUser[]>;
  /** A new code; undefined while an earlier one holds, or too many wait. */
  begin(user: User): Promise<string | undefined>;
  /** Lets in whose code it is, once. Undefined: nobody has this code, or it is too late. */
  confirm(code: string): Promise<Omit<WaitingUser, 'code'> | undefined>;
  /** False: nobody of this id was paired. */
  remove(user: number): Promise<boolean>;
}

export function createPairing(database: () => Promise<TelegramDatabase>): Pairing {
  const dropOld = async (open: TelegramDatabase): Promise<void> => {
    const now = new Date().toISOString();
    const before = new Date(Date.now() - validMs).toISOString();
    await open
      .deleteFrom('telegram_pairings')
      .where((where) =>
        where.or([
          where('created_at', '<', before),
          // The clock was put back: nobody knows for how long it would hold then.
          where('created_at', '>', now),
          where('tries', '>=', maxTries),
        ]),
      )
      .execute();
  };
  const waiting = async (): Promise<readonly WaitingUser[]> => {
    const open = await database();
    await dropOld(open);
    return await open
      .selectFrom('telegram_pairings')
      .select(['user as id', 'name', 'code'])
      .orderBy('created_at')
      .execute();
  };
  return {
    async isPaired(user) {
      const query = (await database()).selectFrom('telegram_users').select('id').where('id', '=', user);
      return (await query.executeTakeFirst()) !== undefined;
    },
    paired: async () =>
      await (
        await database()
      )
        .selectFrom('telegram_users')
        .select(['id', 'name', 'paired_at as pairedAt'])
        .orderBy('paired_at')
        .execute(),
    waiting,
    async begin(user) {
      const now = await waiting();
      if (now.length >= maxPending || now.some(({ id }) => id === user.id)) return undefined;
      const code = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');
      await (
        await database()
      )
        .insertInto('telegram_pairings')
        .values({
          user: user.id,
          name: shownName(user),
          code,
          tries: 0,
          created_at: new Date().toISOString(),
        })
        .execute();
      return code;
    },
    async confirm(code) {
      const open = await database();
      await dropOld(open);
      return await open.transaction().execute(async (transaction) => {
        const found = await transaction
          .deleteFrom('telegram_pairings')
          .where('code', '=', code.trim().toUpperCase())
          .returning(['user as id', 'name'])
          .executeTakeFirst();
        if (!found) {
          await transaction
            .updateTable('telegram_pairings')
            .set((expression) => ({ tries: expression('tries', '+', 1) }))
            .execute();
          return undefined;
        }
        await transaction
          .insertInto('telegram_users')
          .values({ ...found, paired_at: new Date().toISOString() })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ name: found.name }))
          .execute();
        return found;
      });
    },
    async remove(user) {
      const query = (await database()).deleteFrom('telegram_users').where('id', '=', user).returning('id');
      return (await query.executeTakeFirst()) !== undefined;
    },
  };
}

/** For people; it proves nothing. Without characters that could pass for something else in a terminal. */
export function shownName({ first_name: first, last_name: last, username }: User): string {
  const name = [first, last, username && `(@${username})`].filter(Boolean).join(' ');
  return name.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').slice(0, 80);
}
