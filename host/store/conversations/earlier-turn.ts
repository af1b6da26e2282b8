import type { Kysely } from 'kysely';
import type { ConversationKey } from '../../api/conversation.ts';
import type { JsonObject } from '../../api/result.ts';
import type { Origin } from '../../api/provenance.ts';
import { parseJson } from '../../core/documents/written-numbers.ts';
import type { FindAbandoned } from '../database/abandoned.ts';
import type { MessageState, Tables } from '../database/schema.ts';
import {
  markAbandonedMessages,
  markInterrupted,
  readCallsOf,
  readOrigins,
  type TurnCall,
} from './messages.ts';
import { findPaused, type PausedCalls } from './paused-calls.ts';
import type { StoredModelCall, StoredReply } from './stored-reply.ts';

/** A turn whose message is delivered again. */
export interface EarlierTurn {
  readonly conversation: ConversationKey & { readonly id: number };
  readonly userMessageId: number;
  /** The text of the message. */
  readonly message: string;
  /** The id of the answer. */
  readonly messageId: number;
  readonly state: MessageState;
  /** The text of the answer. */
  readonly text: string;
  readonly stopped: string | undefined;
  /** In the order in which they ended. One that was cut off has the result that a model reads then; a paused one is left out. */
  readonly toolCalls: readonly TurnCall[];
  /** Calls that waited for a person, and go on from there. */
  readonly paused: PausedCalls;
  /** The model's replies whose calls ran, in order. Empty for a turn that is done. */
  readonly replies: readonly StoredReply[];
  /** What the model read before the message. */
  readonly preamble: string | undefined;
  /** Origins of the untrusted content that it had read. */
  readonly untrusted: readonly Origin[];
  /** How often it was begun or taken over. */
  readonly attempts: number;
  /** How many processes have died during it. */
  readonly crashes: number;
  /** ISO 8601, UTC: when it was last at work, if it was after its beginning. */
  readonly activeAt: string | null;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
}

export interface FindEarlierTurn {
  readonly find: FindAbandoned;
  readonly isClaimed: boolean;
  /** The version of paused calls that this process can read. */
  readonly pausedVersion: () => Promise<string>;
}

export async function findEarlierTurn(
  database: Kysely<Tables>,
  key: string,
  { find, isClaimed, pausedVersion }: FindEarlierTurn,
): Promise<EarlierTurn | undefined> {
  const said = await database
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select([
      'messages.id',
      'messages.text',
      'messages.conversation_id',
      'conversations.source',
      'conversations.external_id',
    ])
    .where('messages.turn_key', '=', key)
    .executeTakeFirst();
  if (!said) return undefined;
  await markAbandonedMessages(database, find);
  // Both are stored in one transaction.
  const answerOf = database
    .selectFrom('messages')
    .selectAll()
    .where('conversation_id', '=', said.conversation_id)
    .where('id', '>', said.id)
    .where('role', '=', 'assistant')
    .orderBy('id');
  let answer = await answerOf.executeTakeFirstOrThrow();
  if (isClaimed && answer.state === 'running') {
    await markInterrupted(database, answer.id, answer.owner ?? '');
    answer = await answerOf.executeTakeFirstOrThrow();
  }
  const paused = await findPaused(database, answer.id, pausedVersion);
  const toolCalls = await readCallsOf(database, answer.id);
  return {
    conversation: { id: said.conversation_id, source: said.source, externalId: said.external_id },
    userMessageId: said.id,
    message: said.text,
    messageId: answer.id,
    state: answer.state,
    text: answer.text,
    stopped: answer.stopped ?? undefined,
    toolCalls: toolCalls.filter((call) => call.ended || !paused.has(call)),
    paused,
    replies: answer.state === 'done' ? [] : await readReplies(database, answer.id),
    preamble: answer.preamble ?? undefined,
    untrusted: readOrigins(answer.untrusted),
    attempts: answer.attempts,
    crashes: answer.crashes,
    activeAt: answer.active_at,
    startedAt: answer.created_at,
  };
}

async function readReplies(database: Kysely<Tables>, message: number): Promise<readonly StoredReply[]> {
  const rows = await database
    .selectFrom('model_replies')
    .select(['round', 'text', 'calls', 'replay'])
    .where('message_id', '=', message)
    .orderBy('round')
    .execute();
  return rows.map(({ round, text, calls, replay }) => ({
    round,
    text,
    calls: parseJson(calls) as readonly StoredModelCall[],
    ...(replay !== null && { replay: parseJson(replay) as JsonObject }),
  }));
}
