import { sql } from 'kysely';
import type { Engine, QueueDefinition } from 'pegboard';
import { addressNamed } from '../address.ts';
import type { ChannelDatabase, ChannelStore } from '../database.ts';
import type { StoredEvent } from './events.ts';

/** The turns that answer a channel's events: jobs in a queue, run by any host, those of a conversation in order. */
export interface TurnQueue {
  /**
   * Puts its turn into the queue, unless it is held back. `growsMs`: others may join it for so long. False: another host
   * was faster.
   */
  enqueue(event: StoredEvent, how?: { readonly growsMs: number | undefined }): Promise<boolean>;
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
  /** The events that are not done and have no job in the queue, oldest first. */
  left(): Promise<readonly StoredEvent[]>;
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
  /** Milliseconds for which others may follow that belong to it. */
  readonly growsMs?: number;
}

export interface TurnQueueOptions {
  readonly store: ChannelStore;
  readonly account: string;
  readonly engine: () => Promise<Engine>;
}

export function createTurnQueue({ store, account, engine }: TurnQueueOptions): TurnQueue {
  const { channel } = store;
  const events = async () =>
    (await store.open()).selectFrom('channel_events').selectAll().where('channel', '=', channel);
  return {
    enqueue: async (event, { growsMs } = { growsMs: undefined }) =>
      await enqueue(await store.open(), await engine(), event, growsMs),
    waitingIn: async (conversation) =>
      await (
        await events()
      )
        .where('conversation', '=', conversation)
        .where(isWorking)
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
        .where(isWorking)
        .where('begun', '=', 1)
        .returning('id')
        .execute();
      return rows.length > 0;
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
  };
}

/** The holds in the way of an event. Nobody ends them before the transaction has ended. */
export async function lockHolds(
  transaction: ChannelDatabase,
  event: Pick<StoredEvent, 'id' | 'channel' | 'account' | 'conversation'>,
): Promise<readonly unknown[]> {
  return await transaction
    .updateTable('channel_holds')
    .set((row) => ({ tries: row.ref('tries') }))
    .where('channel', '=', event.channel)
    .where('account', '=', event.account)
    .where('chat', 'in', ['', addressNamed(event.conversation).chat])
    .where((where) => where.or([where('probe', 'is', null), where('probe', '!=', event.id)]))
    .returning('chat')
    .execute();
}

/** With one that is sent again, the job that it had is over. */
async function enqueue(
  database: ChannelDatabase,
  engine: Engine,
  event: StoredEvent,
  growsMs: number | undefined,
): Promise<boolean> {
  const { id, channel, account, conversation, state, job: before } = event;
  try {
    await database.transaction().execute(async (transaction) => {
      const isHeld = (await lockHolds(transaction, event)).length > 0;
      const job = isHeld
        ? null
        : await engine.add(transaction, {
            queue: turnQueueOf(channel).name,
            key: `${account}/${conversation}`,
            data: { event: id, ...(growsMs !== undefined && { growsMs }) } satisfies TurnJob,
          });
      const others = transaction
        .selectFrom('channel_events as other')
        .select('other.id')
        .where('channel', '=', channel)
        .where('conversation', '=', conversation)
        .where(isWorking)
        .where('id', '!=', id);
      const changed = await transaction
        .updateTable('channel_events')
        .set((build) => ({
          job,
          state: state === 'new' ? 'working' : state,
          threaded: build.case().when(build.exists(others)).then(1).else(0).end(),
        }))
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

/** Part of the text, so that SQLite finds them by an index. */
const isWorking = sql<boolean>`state = 'working'`;

/** Undoes the transaction. */
const wasFaster = new Error('another host was faster');
