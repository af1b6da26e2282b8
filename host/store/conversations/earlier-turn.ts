import type { Kysely } from 'kysely';
import type { ConversationKey, RecordedCall } from '../../api/conversation.ts';
import type { Origin } from '../../api/provenance.ts';
import { markAbandonedMessages, readCallsOf, readOrigins } from './messages.ts';
import type { MessageState, Tables } from '../database/schema.ts';

/** A turn whose message is given again. */
export interface EarlierTurn {
  readonly conversation: ConversationKey & { readonly id: number };
  readonly userMessageId: number;
  /** Of the answer. */
  readonly messageId: number;
  readonly state: MessageState;
  /** The answer. */
  readonly text: string;
  readonly stopped: string | undefined;
  readonly toolCalls: readonly RecordedCall[];
  /** A call had begun that may have had an effect, and not ended. */
  readonly isUncertain: boolean;
  /** What others wrote and it had read. */
  readonly untrusted: readonly Origin[];
}

export async function findEarlierTurn(
  database: Kysely<Tables>,
  key: string,
): Promise<EarlierTurn | undefined> {
  await markAbandonedMessages(database);
  const said = await database
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select(['messages.id', 'messages.conversation_id', 'conversations.source', 'conversations.external_id'])
    .where('messages.turn_key', '=', key)
    .executeTakeFirst();
  if (!said) return undefined;
  // Both are stored in one step.
  const answer = await database
    .selectFrom('messages')
    .selectAll()
    .where('conversation_id', '=', said.conversation_id)
    .where('id', '>', said.id)
    .where('role', '=', 'assistant')
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const calls = await readCallsOf(database, answer.id);
  return {
    conversation: { id: said.conversation_id, source: said.source, externalId: said.external_id },
    userMessageId: said.id,
    messageId: answer.id,
    state: answer.state,
    text: answer.text,
    stopped: answer.stopped ?? undefined,
    toolCalls: calls,
    isUncertain: calls.some(({ ended }) => !ended),
    untrusted: readOrigins(answer.untrusted),
  };
}
