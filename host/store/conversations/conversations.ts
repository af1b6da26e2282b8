import type { Kysely } from 'kysely';
import type { ConversationKey } from '../../api/conversation.ts';
import type { Database } from '../database/database.ts';
import { findEarlierTurn, type EarlierTurn, type FindEarlierTurn } from './earlier-turn.ts';
import { findAbandoned } from '../database/abandoned.ts';
import { markAbandonedMessages, readMessages, type StoredMessage } from './messages.ts';
import type { Tables } from '../database/schema.ts';
import { resumeTurn, storeTurn, type StoredTurn, type TurnStart } from './turns.ts';

interface Conversation extends ConversationKey {
  readonly id: number;
}

/** A turn that goes on when its message is given again. */
export interface InterruptedTurn {
  readonly key: string;
  /** The text of its message. */
  readonly text: string;
  readonly agent: string | undefined;
  /** Nothing was said after it. */
  readonly isLast: boolean;
}

/** One line of the history. */
interface ConversationSummary extends Conversation {
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** When the last message was stored. */
  readonly lastAt: string;
  readonly messages: number;
  /** The text of the first message. */
  readonly opening: string;
  /** Whether the next message with its key continues it. */
  readonly isOpen: boolean;
}

/**
 * Stored messages by conversation. Messages are never rewritten; `/new` begins another conversation with the same key.
 */
export interface Conversations {
  /** The open conversation of this key. Unfinished answers of dead processes are marked first. */
  getOrCreate(key: ConversationKey): Promise<Conversation>;
  /** Begins another conversation; the previous one stays in the history. */
  startNew(key: ConversationKey): Promise<Conversation>;
  /** Stores the message before it is processed. */
  openTurn(conversation: number, start: TurnStart): Promise<StoredTurn>;
  /** The turn of a message that is delivered again. `isClaimed`: nobody else works on it, even if it seems to run. */
  earlierTurn(key: string, how?: { readonly isClaimed?: boolean }): Promise<EarlierTurn | undefined>;
  /** The last turn of the open conversation of this key that was interrupted and can go on. */
  interrupted(key: ConversationKey): Promise<InterruptedTurn | undefined>;
  /** Takes over an interrupted turn. Throws PEG_CLAIM_LOST when another attempt was faster. */
  resumeTurn(earlier: EarlierTurn): Promise<StoredTurn>;
  /** The last `limit` messages, oldest first; with `before`, those before that message. */
  recent(conversation: number, limit: number, before?: number): Promise<readonly StoredMessage[]>;
  /** All messages after this one; with `before`, up to that one. */
  after(conversation: number, message: number, before?: number): Promise<readonly StoredMessage[]>;
  /** Newest first. Conversations without messages are left out. */
  list(options?: {
    readonly source?: string;
    readonly limit?: number;
  }): Promise<readonly ConversationSummary[]>;
}

/** `find`: whether nobody works on a turn any more. `pausedVersion`: of the paused calls that can go on. */
export function createConversations(
  database: Database,
  {
    find = findAbandoned,
    pausedVersion = async () => '',
  }: Partial<Pick<FindEarlierTurn, 'find' | 'pausedVersion'>> = {},
): Conversations {
  return {
    async getOrCreate(key) {
      const open = await database.open();
      await markAbandonedMessages(open, find);
      return { ...key, id: (await findOpen(open, key)) ?? (await begin(open, key)) };
    },
    async startNew(key) {
      const open = await database.open();
      const id = await open.transaction().execute(async (transaction) => {
        await transaction
          .updateTable('conversations')
          .set({ ended_at: new Date().toISOString() })
          .where('source', '=', key.source)
          .where('external_id', '=', key.externalId)
          .where('ended_at', 'is', null)
          .execute();
        return await begin(transaction, key);
      });
      return { ...key, id };
    },
    openTurn: async (conversation, start) => await storeTurn(await database.open(), conversation, start),
    async earlierTurn(key, { isClaimed = false } = {}) {
      const open = await database.existing();
      return open && (await findEarlierTurn(open, key, { find, isClaimed, pausedVersion }));
    },
    async interrupted(key) {
      const open = await database.existing();
      if (!open) return undefined;
      await markAbandonedMessages(open, find);
      return await findInterrupted(open, key);
    },
    resumeTurn: async (earlier) => await resumeTurn(await database.open(), earlier),
    async recent(conversation, limit, before) {
      const open = await database.existing();
      return open
        ? await readMessages(open, conversation, { limit, ...(before !== undefined && { before }) })
        : [];
    },
    async after(conversation, message, before) {
      const open = await database.existing();
      const range = { after: message, ...(before !== undefined && { before }) };
      return open ? await readMessages(open, conversation, range) : [];
    },
    async list(options = {}) {
      const open = await database.existing();
      return open ? await listConversations(open, options) : [];
    },
  };
}

async function findOpen(
  database: Kysely<Tables>,
  { source, externalId }: ConversationKey,
): Promise<number | undefined> {
  const found = await database
    .selectFrom('conversations')
    .select('id')
    .where('source', '=', source)
    .where('external_id', '=', externalId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return found?.id;
}

/** Messages in which an interrupted turn is looked for: an older one is hardly wanted any more. */
const maxSince = 20;

async function findInterrupted(
  database: Kysely<Tables>,
  key: ConversationKey,
): Promise<InterruptedTurn | undefined> {
  const conversation = await findOpen(database, key);
  if (conversation === undefined) return undefined;
  const newest = await database
    .selectFrom('messages')
    .select(['state', 'turn_key', 'text', 'agent'])
    .where('conversation_id', '=', conversation)
    .orderBy('id', 'desc')
    .limit(maxSince)
    .execute();
  const at = newest.findIndex(
    ({ state }, index) => state === 'interrupted' && typeof newest[index + 1]?.turn_key === 'string',
  );
  const said = newest[at + 1];
  if (at < 0 || typeof said?.turn_key !== 'string') return undefined;
  return { key: said.turn_key, text: said.text, agent: said.agent ?? undefined, isLast: at === 0 };
}

/** If another process begins the same one at the same moment, that one is used. */
async function begin(database: Kysely<Tables>, key: ConversationKey): Promise<number> {
  const row = {
    source: key.source,
    external_id: key.externalId,
    started_at: new Date().toISOString(),
    ended_at: null,
  };
  await database
    .insertInto('conversations')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['source', 'external_id']).where('ended_at', 'is', null).doNothing(),
    )
    .execute();
  return (await findOpen(database, key))!;
}

async function listConversations(
  database: Kysely<Tables>,
  { source, limit = 50 }: { readonly source?: string; readonly limit?: number },
): Promise<ConversationSummary[]> {
  const rows = await database
    .selectFrom('conversations')
    .innerJoin('messages', 'messages.conversation_id', 'conversations.id')
    .select((eb) => [
      'conversations.id',
      'conversations.source',
      'conversations.external_id as externalId',
      'conversations.started_at as startedAt',
      'conversations.ended_at as endedAt',
      eb.fn.max('messages.created_at').as('lastAt'),
      eb.fn.countAll<number>().as('messages'),
      eb.fn.min('messages.id').as('first'),
    ])
    .$if(source !== undefined, (query) => query.where('conversations.source', '=', source!))
    .groupBy('conversations.id')
    .orderBy('lastAt', 'desc')
    .orderBy('conversations.id', 'desc')
    .limit(limit)
    .execute();
  const openings = await readTexts(
    database,
    rows.map(({ first }) => first),
  );
  return rows.map(({ endedAt, first, ...row }) => ({
    ...row,
    opening: openings.get(first) ?? '',
    isOpen: endedAt === null,
  }));
}

async function readTexts(
  database: Kysely<Tables>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database.selectFrom('messages').select(['id', 'text']).where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, text }) => [id, text]));
}
