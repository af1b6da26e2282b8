import { sql, type ExpressionBuilder, type Selectable } from 'kysely';
import type { Clock, Engine } from 'pegboard';
import type { ChannelTables } from 'pegboard/kit';
import { addressNamed } from '../address.ts';
import type { ChannelDatabase, ChannelStore } from '../database.ts';
import type { StoredEvent } from './events.ts';
import { turnQueueOf } from './turn-queue.ts';

export interface HoldsOptions {
  readonly store: ChannelStore;
  readonly account: string;
  readonly engine: () => Promise<Engine>;
  readonly clock: Clock;
}

/** An account or a chat to which nothing can be sent for now. */
export type Hold = Selectable<ChannelTables['channel_holds']>;

/** Milliseconds until the first attempt and between two, at most. */
const pauses = {
  account: { firstMs: 250, maxMs: 60_000 },
  chat: { firstMs: 60_000, maxMs: 6 * 3_600_000 },
};

export const pauseAfter = (chat: string, tries: number): number => {
  const { firstMs, maxMs } = chat === '' ? pauses.account : pauses.chat;
  return Math.min(firstMs * 2 ** Math.min(tries, 20), maxMs);
};

export const chatOf = ({ conversation }: Pick<StoredEvent, 'conversation'>): string =>
  addressNamed(conversation).chat;

/** The rows of holds, and of the events that wait. */
export function createHoldRows({ store, account, clock }: HoldsOptions) {
  const { channel } = store;
  const rows = async () =>
    (await store.open())
      .selectFrom('channel_holds')
      .selectAll()
      .where('channel', '=', channel)
      .where('account', '=', account);
  const updateOf = (database: ChannelDatabase, { chat }: Pick<Hold, 'chat'>) =>
    database
      .updateTable('channel_holds')
      .where('channel', '=', channel)
      .where('account', '=', account)
      .where('chat', '=', chat);
  const insert = async (database: ChannelDatabase, chat: string, reason: string): Promise<void> => {
    const since = new Date(clock.now()).toISOString();
    const next_at = clock.now() + pauseAfter(chat, 0);
    await database
      .insertInto('channel_holds')
      .values({ channel, account, chat, reason, since, next_at, probe: null })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  };
  const again = ({ chat, tries }: Hold, reason: string) => ({
    reason,
    tries: tries + 1,
    next_at: clock.now() + pauseAfter(chat, tries + 1),
    probe: null,
  });
  /** The events that wait for it and for nothing else, in their order. */
  const heldBack = (database: ChannelDatabase, { chat }: Pick<Hold, 'chat'>) =>
    database
      .selectFrom('channel_events')
      .selectAll()
      .where('channel', '=', channel)
      .where('account', '=', account)
      .where('job', 'is', null)
      .where('joined', 'is', null)
      .where((where) => isUnsettled(where))
      .where((where) => (chat === '' ? where.lit(true) : isIn(chat)))
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('channel_holds')
              .select('channel_holds.chat')
              .where('channel_holds.channel', '=', channel)
              .where('channel_holds.account', '=', account)
              .where('channel_holds.chat', '!=', chat)
              .where((other) => other.or([other('channel_holds.chat', '=', ''), isInHeldChat])),
          ),
        ),
      )
      .orderBy('id');
  const endIn = async (transaction: ChannelDatabase, queue: Engine, hold: Hold): Promise<void> => {
    const ended = await transaction
      .deleteFrom('channel_holds')
      .where('channel', '=', channel)
      .where('account', '=', account)
      .where('chat', '=', hold.chat)
      .where('probe', hold.probe === null ? 'is' : '=', hold.probe)
      .returning('chat')
      .executeTakeFirst();
    if (!ended) return;
    for (const event of await heldBack(transaction, hold).execute())
      await addJob(transaction as never, queue, event);
  };
  /** Holds whose event was dealt with, though it is still noted as the one that is tried. */
  const settledProbes = async (): Promise<readonly Hold[]> => {
    const query = (await rows()).where('probe', 'is not', null).where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('channel_events')
            .select('channel_events.id')
            .whereRef('channel_events.id', '=', 'channel_holds.probe')
            .where((event) => isUnsettled(event)),
        ),
      ),
    );
    return await query.execute();
  };
  return { rows, settledProbes, updateOf, insert, again, endIn, heldBack };
}

/** The event is dealt with next, after those of its conversation that were added before. */
export const addJob = async (
  transaction: Parameters<Engine['add']>[0],
  queue: Engine,
  { id, channel, account, conversation }: StoredEvent,
): Promise<void> => {
  const job = await queue.add(transaction, {
    queue: turnQueueOf(channel).name,
    key: `${account}/${conversation}`,
    data: { event: id },
  });
  const taken = await (transaction as unknown as ChannelDatabase)
    .updateTable('channel_events')
    .set({ job })
    .where('id', '=', id)
    .where('job', 'is', null)
    .returning('id')
    .executeTakeFirst();
  // What was left by another version is found by whoever is first.
  if (!taken) await queue.cancel(transaction, turnQueueOf(channel).name, job);
};

/** Nothing is left to be done for them, nor for those that joined them. */
export const settle = async (transaction: ChannelDatabase, events: readonly number[]): Promise<void> => {
  await transaction
    .updateTable('channel_events')
    .set({ state: 'done', parts: null, sending: 0 })
    .where((where) => where.or([where('id', 'in', events), where('joined', 'in', events)]))
    .where('job', 'is', null)
    .execute();
};

/** It waits. */
export const withoutJob = async (transaction: ChannelDatabase, { id }: StoredEvent): Promise<void> => {
  await transaction
    .updateTable('channel_events')
    .set({ job: null, sending: 0 })
    .where('id', '=', id)
    .execute();
};

/** It has been routed, and something is left to be done for it. */
const isUnsettled = (where: ExpressionBuilder<ChannelTables, 'channel_events'>) =>
  where.or([
    where('channel_events.state', 'in', ['working', 'answered']),
    where.and([where('channel_events.state', '=', 'uncertain'), where('channel_events.told', '=', 0)]),
  ]);

/** Of the chat, in whichever topic. */
const isIn = (chat: string) =>
  sql<boolean>`(channel_events.conversation = ${chat} or substr(channel_events.conversation, 1, ${chat.length + 1}) = ${`${chat}:`})`;

const isInHeldChat = sql<boolean>`(channel_events.conversation = channel_holds.chat or substr(channel_events.conversation, 1, length(channel_holds.chat) + 1) = channel_holds.chat || ':')`;
