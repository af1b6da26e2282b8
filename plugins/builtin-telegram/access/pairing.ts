import { randomInt } from 'node:crypto';
import type { User } from 'grammy/types';
import type { TelegramDatabase } from '../tables.ts';

/** Without characters that are easily confused. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeLength = 8;
const validMs = 10 * 60_000;
/** Wrong codes after which the open ones are void. */
const maxTries = 5;
/** Maximum number of strangers with a pending code, so that the table can't be flooded. */
const maxPending = 50;

interface WaitingUser {
  readonly id: number;
  readonly name: string;
  readonly code: string;
}

/** Users who were paired with a code, and users with a pending code. A code belongs to one numeric id, whatever its name is. */
export interface Pairing {
  isPaired(user: number): Promise<boolean>;
  paired(): Promise<readonly { readonly id: number; readonly name: string; readonly pairedAt: string }[]>;
  waiting(): Promise<readonly WaitingUser[]>;
  /** A new code; undefined while an earlier one holds, or too many wait. */
  begin(user: User): Promise<string | undefined>;
  /** Pairs the user with this code, once. Undefined: the code is unknown or has expired. */
  confirm(code: string): Promise<Omit<WaitingUser, 'code'> | undefined>;
  /** False: no user with this id was paired. */
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
          // The clock was set back, so the code's remaining lifetime is unknown.
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

/** A name for display only, without characters that could spoof other text in a terminal. */
export function shownName({ first_name: first, last_name: last, username }: User): string {
  const name = [first, last, username && `(@${username})`].filter(Boolean).join(' ');
  return name.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').slice(0, 80);
}
