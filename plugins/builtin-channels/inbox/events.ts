import type { Insertable, Selectable } from 'kysely';
import {
  type ChannelDriver,
  type ChannelEvent,
  type Claim,
  type Clock,
  durably,
  parseJson,
  type RawEvent,
  toJson,
} from 'pegboard';
import type { ChannelTables } from 'pegboard/kit';
import { addressNamed, nameOf } from '../address.ts';
import type { ChannelDatabase, ChannelStore } from '../database.ts';
import { doubtfulParts, readFailed } from '../outgoing/failed-parts.ts';
import type { Messages } from '../outgoing/messages.ts';
import type { OutgoingPart } from '../outgoing/parts.ts';

export type StoredEvent = Selectable<ChannelTables['channel_events']>;
/** An event whose turn has begun. */
export interface BegunEvent extends StoredEvent {
  /** Whether it answers other events too. */
  readonly hasJoined: boolean;
}

type Changes = Partial<Omit<StoredEvent, 'id' | 'channel' | 'account' | 'event'>>;

/** Days that handled events are kept, so that repeated deliveries are recognised, and what strangers are owed. */
const keptDays = 2;
/** ISO 8601, UTC. */
export const keptSince = (clock: Pick<Clock, 'now'>): string =>
  new Date(clock.now() - keptDays * 86_400_000).toISOString();

/** Every event of a service, stored on disk before its receipt is confirmed to the service. */
export interface Events {
  /**
   * Stores events and returns the new ones in order. Synced to disk before this resolves. `position`: of the driver, which
   * is stored with them.
   */
  store(events: readonly RawEvent[], position?: object): Promise<readonly StoredEvent[]>;
  /** The one that was stored last. */
  position(): Promise<object | undefined>;
  change(id: number, changes: Changes): Promise<void>;
  /** From now on its turn runs: nothing joins it. The event as it is then; undefined: there is none. */
  begin(id: number): Promise<BegunEvent | undefined>;
  /** There is nothing left to do for it. Where a claim is held, its job ends with the same transaction. */
  done(id: number): Promise<void>;
  /**
   * Stores the reply's parts and marks the events that joined it as answered, in one transaction. `sending`: the first
   * part is about to be sent.
   */
  answered(event: BegunEvent, parts: string, sending: boolean): Promise<void>;
  find(id: number): Promise<StoredEvent | undefined>;
  /** Those of its conversation that came before it and are still stored, the last first. */
  before(event: StoredEvent): Promise<readonly StoredEvent[]>;
  /** Those of its conversation that came after it and aren't routed yet, in order. */
  after(event: StoredEvent): Promise<readonly StoredEvent[]>;
  /** The same, with changes that are written only while the claim is held. */
  heldBy(claim: Claim): Events;
  /** Queues the parts whose delivery is uncertain to be sent again. Undefined when there are none in this chat. */
  sendAgain(id: number, chat: string): Promise<StoredEvent | undefined>;
  /** Deletes events that were done days ago, and expired questions. */
  purge(): Promise<void>;
}

export interface EventsOptions {
  /** Changes are written while it is held. Default: without a transaction. */
  readonly claim?: Claim;
  readonly store: ChannelStore;
  readonly driver: Pick<ChannelDriver, 'account' | 'read'>;
  readonly messages: Pick<Messages, 'find'>;
  readonly clock: Clock;
}

export function createEvents({ store, driver, messages, clock, claim }: EventsOptions): Events {
  const { channel } = store;
  const { account = '' } = driver;
  const write = async <Result>(work: (database: ChannelDatabase) => Promise<Result>): Promise<Result> =>
    claim ? await claim.write(work) : await work(await store.open());
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
  const find = async (id: number): Promise<StoredEvent | undefined> => {
    const query = (await store.open()).selectFrom('channel_events').selectAll();
    return await query.where('id', '=', id).where('channel', '=', channel).executeTakeFirst();
  };
  return {
    async store(events, position) {
      if (events.length === 0 && position === undefined) return [];
      const conversations = await Promise.all(events.map(({ body }) => conversationOf(body)));
      const values = events.map(({ id, body }, index) => ({
        channel,
        account,
        event: id,
        conversation: conversations[index]!,
        body: toJson(body),
        received_at: new Date(clock.now()).toISOString(),
      }));
      const place = position === undefined ? undefined : { channel, account, position: toJson(position) };
      return await insertDurably(await store.open(), values, place);
    },
    async position() {
      const open = await store.open();
      const query = open.selectFrom('channel_positions').select('position').where('channel', '=', channel);
      const found = await query.where('account', '=', account).executeTakeFirst();
      return found && (parseJson(found.position) as object);
    },
    change: (id, changes) => write(changing(id, changes)),
    // Without the claim: it does no harm if a host that has lost it says so too.
    begin: async (id) => await beginning(id)(await store.open()),
    done: async (id) => {
      const change = changing(id, { state: 'done', parts: null, sending: 0 });
      await (claim ? claim.end({ state: 'done' }, change) : write(change));
    },
    answered: ({ id, hasJoined }, parts, sending) =>
      write(async (transaction) => {
        await changing(id, { state: 'answered', parts, sent: 0, sending: sending ? 1 : 0 })(transaction);
        if (!hasJoined) return;
        await transaction
          .updateTable('channel_events')
          .set({ state: 'done' })
          .where('joined', '=', id)
          .execute();
      }),
    find,
    before: async (event) => await earlierIn(await store.open(), event),
    after: async (event) => await laterIn(await store.open(), event),
    heldBy: (held) => createEvents({ store, driver, messages, clock, claim: held }),
    async sendAgain(id, chat) {
      const found = await find(id);
      if (!found?.parts || addressNamed(found.conversation).chat !== chat) return undefined;
      const parts = doubtfulParts(parseJson(found.parts) as readonly OutgoingPart[], readFailed(found));
      return await (
        await store.open()
      )
        .updateTable('channel_events')
        .set({ state: 'answered', parts: toJson(parts), sent: 0, failed: null, told: 0 })
        .where('id', '=', id)
        .where('state', '=', 'uncertain')
        .returningAll()
        .executeTakeFirst();
    },
    async purge() {
      const before = keptSince(clock);
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

const earlierIn = async (database: ChannelDatabase, event: StoredEvent): Promise<readonly StoredEvent[]> =>
  await sameConversation(database, event).where('id', '<', event.id).orderBy('id', 'desc').execute();

const laterIn = async (database: ChannelDatabase, event: StoredEvent): Promise<readonly StoredEvent[]> =>
  await sameConversation(database, event)
    .where('id', '>', event.id)
    .where('state', '=', 'new')
    .orderBy('id')
    .execute();

const sameConversation = (database: ChannelDatabase, { channel, account, conversation }: StoredEvent) =>
  database
    .selectFrom('channel_events')
    .selectAll()
    .where('channel', '=', channel)
    .where('account', '=', account)
    .where('conversation', '=', conversation);

const changing =
  (id: number, changes: Changes) =>
  async (transaction: ChannelDatabase): Promise<void> => {
    await transaction.updateTable('channel_events').set(changes).where('id', '=', id).execute();
  };

const beginning =
  (id: number) =>
  async (database: ChannelDatabase): Promise<BegunEvent | undefined> => {
    const joined = database
      .selectFrom('channel_events as other')
      .select('other.id')
      .where('other.joined', '=', id);
    const begun = await database
      .updateTable('channel_events')
      .set({ begun: 1 })
      .where('id', '=', id)
      .returningAll()
      .returning((build) => build.exists(joined).as('hasJoined'))
      .executeTakeFirst();
    return begun && { ...begun, hasJoined: Boolean(begun.hasJoined) };
  };

/** Inserts new events and returns them in order. Synced to disk, because the service won't send them again. */
async function insertDurably(
  database: ChannelDatabase,
  values: readonly Insertable<ChannelTables['channel_events']>[],
  place: Insertable<ChannelTables['channel_positions']> | undefined,
): Promise<readonly StoredEvent[]> {
  const insert = async (into: ChannelDatabase): Promise<StoredEvent[]> =>
    values.length === 0
      ? []
      : await into
          .insertInto('channel_events')
          .values(values)
          .onConflict((conflict) => conflict.columns(['channel', 'account', 'event']).doNothing())
          .returningAll()
          .execute();
  const stored = await durably(database, async (connection) => {
    if (!place) return await insert(connection);
    return await connection.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('channel_positions')
        .values(place)
        .onConflict((conflict) =>
          conflict.columns(['channel', 'account']).doUpdateSet({ position: place.position }),
        )
        .execute();
      return await insert(transaction);
    });
  });
  return stored.toSorted((one, other) => one.id - other.id);
}
