import { createHash, randomBytes } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { type ChatAddress, toJson } from 'pegboard';
import { type AskState, type ChannelTables, findAbandoned, type Tables } from 'pegboard/kit';
import type { ChannelStore } from '../database.ts';

export type StoredAsk = Selectable<ChannelTables['channel_asks']>;

/** Where a question is asked, and who may answer it. */
export interface AskPlace {
  /** The event whose turn asks the question. */
  readonly event: number;
  readonly address: ChatAddress;
  readonly person: string;
  /** The message that began the turn, unless the turn began elsewhere. */
  readonly message?: string;
}

/** Stored questions: each is answered once, even if the process ends between question and answer. */
export interface AskStore {
  /** Returns the question with this content if the same turn asked it before it was interrupted, or else a new one. */
  open(
    asker: AskPlace,
    shown: Pick<StoredAsk, 'blocks' | 'choices' | 'step' | 'expires_at'>,
  ): Promise<StoredAsk>;
  byToken(token: string): Promise<StoredAsk | undefined>;
  /** Questions that wait for a text in this chat, newest first. */
  waitingIn(chat: string): Promise<readonly StoredAsk[]>;
  /** False: it is no longer in the state `from`. */
  move(
    token: string,
    from: AskState,
    to: AskState,
    changes?: Partial<Pick<StoredAsk, 'answer' | 'message' | 'mark'>>,
  ): Promise<boolean>;
  /** Unanswered or unused questions of a turn that is over. */
  leftOf(event: number): Promise<readonly StoredAsk[]>;
  /** Questions of turns that won't be resumed after their process ended. */
  orphans(): Promise<readonly StoredAsk[]>;
}

export function createAskStore({ channel, open: database }: ChannelStore): AskStore {
  const rows = async () =>
    (await database()).selectFrom('channel_asks').selectAll().where('channel', '=', channel);
  const unused = ['open', 'decided'] as const;
  return {
    async open({ event, address, person }, shown) {
      const { chat, topic = null } = address;
      const hash = hashOf([event, chat, person, shown.blocks, shown.choices]);
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
        .insertInto('channel_asks')
        .values({
          ...shown,
          token: randomBytes(16).toString('base64url'),
          channel,
          event,
          chat,
          topic,
          person,
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
        .updateTable('channel_asks')
        .set({ ...changes, state: to })
        .where('token', '=', token)
        .where('state', '=', from)
        .returning('token')
        .executeTakeFirst();
      return moved !== undefined;
    },
    leftOf: async (event) =>
      await (await rows()).where('event', '=', event).where('state', 'in', unused).execute(),
    async orphans() {
      const ofTurns = (await rows())
        .where('event', '>', 0)
        .where('state', 'in', unused)
        .where((where) =>
          where.not(
            where.exists(
              where
                .selectFrom('channel_events')
                .select('channel_events.id')
                .whereRef('channel_events.id', '=', 'channel_asks.event')
                .where('channel_events.state', 'in', ['new', 'working']),
            ),
          ),
        );
      const fromElsewhere = (await rows()).where('event', '<', 0).where('state', 'in', unused);
      const isOpen = await openQuestions(await database());
      return [
        ...(await ofTurns.execute()),
        ...(await fromElsewhere.execute()).filter(({ event }) => !isOpen(-event)),
      ];
    },
  };
}

/** Which questions from elsewhere somebody still waits for. */
async function openQuestions(database: Kysely<Tables>): Promise<(id: number) => boolean> {
  const rows = await database
    .selectFrom('questions')
    .select(['id', 'owner', 'asked_at'])
    .where('decision', 'is', null)
    .execute();
  const works = rows.map(({ id, owner, asked_at: since }) => ({ id, owner, since }));
  const isAbandoned = await findAbandoned(database, works);
  const open = works.filter((one) => !isAbandoned(one));
  return (id) => open.some((one) => one.id === id);
}

const hashOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(toJson(parts)).digest('base64url');
