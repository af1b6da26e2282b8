import type { Insertable, Selectable } from 'kysely';
import type { Claim, Engine, QueueDefinition } from '../../api/engine.ts';
import type { ChannelDriver, ChannelEvent, RawEvent } from '../../api/channels/driver.ts';
import { parseJson, toJson } from '../../core/documents/written-numbers.ts';
import type { ChannelTables } from '../../store/database/channel-tables.ts';
import { durably } from '../../store/database/dialect.ts';
import { addressNamed, nameOf } from '../address.ts';
import type { ChannelDatabase, ChannelStore } from '../database.ts';
import { doubtfulParts, readFailed } from '../outgoing/failed-parts.ts';
import type { Messages } from '../outgoing/messages.ts';
import type { OutgoingPart } from '../outgoing/parts.ts';

export type StoredEvent = Selectable<ChannelTables['channel_events']>;
type Changes = Partial<Omit<StoredEvent, 'id' | 'channel' | 'account' | 'event'>>;

/** Days that handled events are kept, so that repeated deliveries are recognised. */
const keptDays = 2;

/** Every event of a service, stored on disk before its receipt is confirmed to the service. */
export interface Events {
  /** Stores events and returns the new ones in order. Synced to disk before this resolves. */
  store(events: readonly RawEvent[]): Promise<readonly StoredEvent[]>;
  /** The events that are not done and have no job in the queue, oldest first. */
  left(): Promise<readonly StoredEvent[]>;
  change(id: number, changes: Changes): Promise<void>;
  /** Stores the reply's parts and marks the events that joined it as answered, in one transaction. */
  answered(id: number, parts: string): Promise<void>;
  find(id: number): Promise<StoredEvent | undefined>;
  /** Puts its turn into the queue. False: another host was faster. */
  enqueue(event: StoredEvent): Promise<boolean>;
  /** Events whose turns have not begun, in order. */
  waitingIn(conversation: string): Promise<readonly StoredEvent[]>;
  /** The turn of `other` answers the event too. False: that turn has begun. */
  join(event: StoredEvent, other: number): Promise<boolean>;
  /** Those whose message the turn of this event answers too, in order. */
  joinedTo(id: number): Promise<readonly StoredEvent[]>;
  /** Its turn answers an edited message instead. False: that turn has begun. */
  rewrite(id: number, body: string): Promise<boolean>;
  /** Asks to stop the running turn, on whatever host. False: none runs. */
  askToStop(conversation: string): Promise<boolean>;
  /** The same, with changes that are written only while the claim is held. */
  heldBy(claim: Claim): Events;
  /** Queues the parts whose delivery is uncertain to be sent again. Undefined when there are none in this chat. */
  sendAgain(id: number, chat: string): Promise<StoredEvent | undefined>;
  /** Deletes events that were done days ago, and expired questions. */
  purge(): Promise<void>;
}

export interface EventsOptions {
  readonly engine: () => Promise<Engine>;
  /** Where changes are written. Default: without a transaction. */
  readonly write?: <Result>(work: (database: ChannelDatabase) => Promise<Result>) => Promise<Result>;
  readonly store: ChannelStore;
  readonly driver: Pick<ChannelDriver, 'account' | 'read'>;
  readonly messages: Pick<Messages, 'find'>;
}

export function createEvents({ store, driver, messages, engine, ...options }: EventsOptions): Events {
  const { channel } = store;
  const { account = '' } = driver;
  const { write = async (work) => await work(await store.open()) } = options;
  const events = async () =>
    (await store.open()).selectFrom('channel_events').selectAll().where('channel', '=', channel);
  /** Empty for an event that can't be read; the router reports it. */
  const conversationOf = async (body: unknown): Promise<string> => {
    let event: ChannelEvent | undefined;
    try {
      event = driver.read(body);
    } catch {
      return '';
    }
    if (!event) return '';
    const { address } = event;
    if (event.kind !== 'reaction' || address.topic !== undefined) return nameOf(address);
    return nameOf((await messages.find(address.chat, event.to))?.address ?? address);
  };
  return {
    async store(events) {
      if (events.length === 0) return [];
      const conversations = await Promise.all(events.map(({ body }) => conversationOf(body)));
      const values = events.map(({ id, body }, index) => ({
        channel,
        account,
        event: id,
        conversation: conversations[index]!,
        body: toJson(body),
        received_at: new Date().toISOString(),
      }));
      return await insertDurably(await store.open(), values);
    },
    async left() {
      const all = await events();
      const open = await all
        .where('account', '=', account)
        .where('joined', 'is', null)
        .where((where) =>
          where.or([
            where('state', 'in', ['new', 'working', 'answered']),
            where.and([where('state', '=', 'uncertain'), where('told', '=', 0)]),
          ]),
        )
        .orderBy('id')
        .execute();
      const queue = await engine();
      const left: StoredEvent[] = [];
      for (const event of open) {
        const job = event.job === null ? undefined : await queue.find(turnQueueOf(channel).name, event.job);
        if (job?.state !== 'waiting' && job?.state !== 'running') left.push(event);
      }
      return left;
    },
    change: (id, changes) => write(changing(id, changes)),
    answered: (id, parts) =>
      write(async (transaction) => {
        await changing(id, { state: 'answered', parts, sent: 0 })(transaction);
        await transaction
          .updateTable('channel_events')
          .set({ state: 'done' })
          .where('joined', '=', id)
          .execute();
      }),
    find: async (id) => await (await events()).where('id', '=', id).executeTakeFirst(),
    enqueue: async (event) => await enqueue(await store.open(), await engine(), event),
    waitingIn: async (conversation) =>
      await (
        await events()
      )
        .where('conversation', '=', conversation)
        .where('state', '=', 'working')
        .where('begun', '=', 0)
        .where('joined', 'is', null)
        .orderBy('id')
        .execute(),
    join: async ({ id, state }, other) =>
      await (await store.open()).transaction().execute(async (transaction) => {
        const taken = await transaction
          .updateTable('channel_events')
          .set({ state: 'working' })
          .where('id', '=', other)
          .where('begun', '=', 0)
          .where('state', '=', 'working')
          .returning('id')
          .executeTakeFirst();
        if (!taken) return false;
        await transaction
          .updateTable('channel_events')
          .set({ state: 'working', joined: other })
          .where('id', '=', id)
          .where('state', '=', state)
          .execute();
        return true;
      }),
    joinedTo: async (id) => await (await events()).where('joined', '=', id).orderBy('id').execute(),
    async rewrite(id, body) {
      const open = await store.open();
      const row = await open
        .updateTable('channel_events')
        .set({ body, rewritten: 1 })
        .where('id', '=', id)
        .where('begun', '=', 0)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },
    async askToStop(conversation) {
      const open = await store.open();
      const rows = await open
        .updateTable('channel_events')
        .set({ stop_asked: 1 })
        .where('channel', '=', channel)
        .where('conversation', '=', conversation)
        .where('state', '=', 'working')
        .where('begun', '=', 1)
        .returning('id')
        .execute();
      return rows.length > 0;
    },
    heldBy: (claim) => createEvents({ store, driver, messages, engine, write: (work) => claim.write(work) }),
    async sendAgain(id, chat) {
      const open = await store.open();
      const found = await open
        .selectFrom('channel_events')
        .selectAll()
        .where('id', '=', id)
        .where('channel', '=', channel)
        .executeTakeFirst();
      if (!found?.parts || addressNamed(found.conversation).chat !== chat) return undefined;
      const parts = doubtfulParts(parseJson(found.parts) as readonly OutgoingPart[], readFailed(found));
      return await open
        .updateTable('channel_events')
        .set({ state: 'answered', parts: toJson(parts), sent: 0, failed: null, told: 0 })
        .where('id', '=', id)
        .where('state', '=', 'uncertain')
        .returningAll()
        .executeTakeFirst();
    },
    async purge() {
      const before = new Date(Date.now() - keptDays * 86_400_000).toISOString();
      const open = await store.open();
      await open
        .deleteFrom('channel_events')
        .where('channel', '=', channel)
        .where('state', 'in', ['done', 'uncertain'])
        .where('received_at', '<', before)
        .execute();
      await open
        .deleteFrom('channel_asks')
        .where('channel', '=', channel)
        .where('expires_at', '<', before)
        .execute();
    },
  };
}

/** The queue of a channel's turns: those of a conversation one after the other. */
export const turnQueueOf = (channel: string): QueueDefinition => ({
  name: `channel-turns.${channel}`,
  order: 'key',
  // Turns that cost several hosts are ended by themselves, which have to tell of it.
  attempts: 100,
  backoff: { first: 5, longest: 300 },
  keptDays: 2,
});

export interface TurnJob {
  readonly event: number;
}

/** With one that is sent again, the job that it had is over. */
async function enqueue(database: ChannelDatabase, engine: Engine, event: StoredEvent): Promise<boolean> {
  const { id, channel, account, conversation, state, job: before } = event;
  try {
    await database.transaction().execute(async (transaction) => {
      const job = await engine.add(transaction, {
        queue: turnQueueOf(channel).name,
        key: `${account}/${conversation}`,
        data: { event: id } satisfies TurnJob,
      });
      const other = await transaction
        .selectFrom('channel_events')
        .select('id')
        .where('channel', '=', channel)
        .where('conversation', '=', conversation)
        .where('state', '=', 'working')
        .where('id', '!=', id)
        .limit(1)
        .executeTakeFirst();
      const changed = await transaction
        .updateTable('channel_events')
        .set({ job, state: state === 'new' ? 'working' : state, threaded: other ? 1 : 0 })
        .where('id', '=', id)
        .where('state', '=', state)
        .where('job', before === null ? 'is' : '=', before)
        .returning('id')
        .executeTakeFirst();
      if (!changed) throw wasFaster;
    });
    return true;
  } catch (cause) {
    if (cause === wasFaster) return false;
    throw cause;
  }
}

/** Undoes the transaction. */
const wasFaster = new Error('another host was faster');

const changing =
  (id: number, changes: Changes) =>
  async (transaction: ChannelDatabase): Promise<void> => {
    await transaction.updateTable('channel_events').set(changes).where('id', '=', id).execute();
  };

/** Inserts new events and returns them in order. Synced to disk, because the service won't send them again. */
async function insertDurably(
  database: ChannelDatabase,
  values: readonly Insertable<ChannelTables['channel_events']>[],
): Promise<readonly StoredEvent[]> {
  const stored = await durably(
    database,
    async (connection) =>
      await connection
        .insertInto('channel_events')
        .values(values)
        .onConflict((conflict) => conflict.columns(['channel', 'account', 'event']).doNothing())
        .returningAll()
        .execute(),
  );
  return stored.toSorted((one, other) => one.id - other.id);
}
