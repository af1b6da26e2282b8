import type { Kysely } from 'kysely';
import type { ConversationKey } from '../../api/conversation.ts';
import type { Database } from '../database/database.ts';
import { findEarlierTurn, type EarlierTurn, type FindEarlierTurn } from './earlier-turn.ts';
import { findAbandoned } from '../database/abandoned.ts';
import { markAbandonedMessages, readMessages, type StoredMessage } from './messages.ts';
import type { Tables } from '../database/schema.ts';
import { beginOpen, endOpen, findOpen } from './open-conversation.ts';
import { readSummary, summaryColumns, type ConversationSummary, type StoredSummary } from './summary.ts';
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

/**
 * Stored messages by conversation. Messages are never rewritten; `/new` begins another conversation with the same key.
 */
export interface Conversations {
  /** The open conversation of this key. Unfinished answers of dead processes are marked first. */
  getOrCreate(key: ConversationKey): Promise<Conversation>;
  /** Begins another conversation, in a folder if that is known; the previous one stays in the history. */
  startNew(key: ConversationKey, folder?: string): Promise<Conversation>;
  /** Stores the message before it is processed. */
  openTurn(conversation: number, start: TurnStart): Promise<StoredTurn>;
  /** The turn of a message that is delivered again. `isClaimed`: nobody else works on it, even if it seems to run. */
  earlierTurn(key: string, how?: { readonly isClaimed?: boolean }): Promise<EarlierTurn | undefined>;
  /** The last turn of the open conversation of this key that was interrupted and can go on. */
  interrupted(key: ConversationKey): Promise<InterruptedTurn | undefined>;
  /** Takes over an interrupted turn. Throws PEG_CLAIM_LOST when another attempt was faster. */
  resumeTurn(earlier: EarlierTurn): Promise<StoredTurn>;
  /**
   * The last `limit` messages, oldest first; with `before`, those before that message. Those of conversations that it goes
   * on from belong to it.
   */
  recent(conversation: number, limit: number, before?: number): Promise<readonly StoredMessage[]>;
  /** All of them after this one; with `before`, up to that one. */
  after(conversation: number, message: number, before?: number): Promise<readonly StoredMessage[]>;
  /** What stands for its older part. */
  summary(conversation: number): Promise<StoredSummary | undefined>;
  /** From the next turn on, models read this instead of the messages that it stands for. */
  summarize(conversation: number, summary: ConversationSummary): Promise<void>;
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
    async startNew(key, folder) {
      const open = await database.open();
      const id = await open.transaction().execute(async (transaction) => {
        await endOpen(transaction, key);
        return await begin(transaction, key, folder);
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
    async summary(conversation) {
      const open = await database.existing();
      return open && (await readSummary(open, conversation));
    },
    async summarize(conversation, summary) {
      const open = await database.open();
      await open
        .updateTable('conversations')
        .set(summaryColumns(summary))
        .where('id', '=', conversation)
        .execute();
    },
  };
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
const begin = async (
  database: Kysely<Tables>,
  key: ConversationKey,
  folder: string | null = null,
): Promise<number> => (await beginOpen(database, key, { folder })) ?? (await findOpen(database, key))!;
