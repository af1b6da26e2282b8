import { randomInt } from 'node:crypto';
import type { Person } from 'pegboard';
import type { ChannelDatabase, ChannelStore } from '../database.ts';

/** Without characters that are easily confused. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const codeLength = 8;
export const validMs = 10 * 60_000;
/** Wrong attempts after which all pending codes expire. */
const maxTries = 5;
/** Maximum number of strangers with a pending code, so that the table can't be flooded. */
const maxPending = 50;

interface WaitingPerson extends Person {
  readonly code: string;
}

/** People who were paired with a code, and people with a pending code. A code belongs to one id, regardless of the name. */
export interface Pairing {
  isPaired(person: string): Promise<boolean>;
  paired(): Promise<readonly (Person & { readonly pairedAt: string })[]>;
  waiting(): Promise<readonly WaitingPerson[]>;
  /** A new code; undefined while an earlier one is valid, or when too many are pending. */
  begin(person: Person): Promise<string | undefined>;
  /** Pairs the person with this code, once. Undefined: the code is unknown or has expired. */
  confirm(code: string): Promise<Person | undefined>;
  /** Pairs somebody whose id the owner knows, without a code. False: they were paired already. */
  add(person: Person): Promise<boolean>;
  /** False: nobody with this id was paired. */
  remove(person: string): Promise<boolean>;
}

export function createPairing({ channel, open: database }: ChannelStore): Pairing {
  const waiting = async (): Promise<readonly WaitingPerson[]> => {
    const open = await database();
    await dropOld(open, channel);
    return await open
      .selectFrom('channel_codes')
      .select(['person as id', 'name', 'code'])
      .where('channel', '=', channel)
      .orderBy('created_at')
      .execute();
  };
  return {
    async isPaired(person) {
      const open = await database();
      const query = open.selectFrom('channel_people').select('id').where('channel', '=', channel);
      return (await query.where('id', '=', person).executeTakeFirst()) !== undefined;
    },
    paired: async () =>
      await (
        await database()
      )
        .selectFrom('channel_people')
        .select(['id', 'name', 'paired_at as pairedAt'])
        .where('channel', '=', channel)
        .orderBy('paired_at')
        .execute(),
    waiting,
    async begin(person) {
      const now = await waiting();
      if (now.length >= maxPending || now.some(({ id }) => id === person.id)) return undefined;
      const code = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');
      await (
        await database()
      )
        .insertInto('channel_codes')
        .values({
          channel,
          person: person.id,
          name: person.name,
          code,
          tries: 0,
          created_at: new Date().toISOString(),
        })
        .execute();
      return code;
    },
    async confirm(code) {
      const open = await database();
      await dropOld(open, channel);
      return await open.transaction().execute(async (transaction) => {
        const found = await transaction
          .deleteFrom('channel_codes')
          .where('channel', '=', channel)
          .where('code', '=', code.trim().toUpperCase())
          .returning(['person as id', 'name'])
          .executeTakeFirst();
        if (!found) {
          await transaction
            .updateTable('channel_codes')
            .set((expression) => ({ tries: expression('tries', '+', 1) }))
            .where('channel', '=', channel)
            .execute();
          return undefined;
        }
        await transaction
          .insertInto('channel_people')
          .values({ channel, ...found, paired_at: new Date().toISOString() })
          .onConflict((conflict) => conflict.columns(['channel', 'id']).doUpdateSet({ name: found.name }))
          .execute();
        return found;
      });
    },
    async add({ id, name }) {
      const open = await database();
      const added = await open
        .insertInto('channel_people')
        .values({ channel, id, name, paired_at: new Date().toISOString() })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst();
      return added !== undefined;
    },
    async remove(person) {
      const query = (await database()).deleteFrom('channel_people').where('channel', '=', channel);
      return (await query.where('id', '=', person).returning('id').executeTakeFirst()) !== undefined;
    },
  };
}

/** Codes that no longer count. */
async function dropOld(open: ChannelDatabase, channel: string): Promise<void> {
  const now = new Date().toISOString();
  const before = new Date(Date.now() - validMs).toISOString();
  await open
    .deleteFrom('channel_codes')
    .where('channel', '=', channel)
    .where((where) =>
      where.or([
        where('created_at', '<', before),
        // The clock was set back, so the code's remaining lifetime is unknown.
        where('created_at', '>', now),
        where('tries', '>=', maxTries),
      ]),
    )
    .execute();
}
