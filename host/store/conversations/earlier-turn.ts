import type { Kysely } from 'kysely';
import type { ConversationKey, RecordedCall } from '../../api/conversation.ts';
import type { Origin } from '../../api/provenance.ts';
import { markAbandonedMessages, readCallsOf, readOrigins } from './messages.ts';
import type { MessageState, Tables } from '../database/schema.ts';

/** A turn whose message is delivered again. */
export interface EarlierTurn {
  readonly conversation: ConversationKey & { readonly id: number };
  readonly userMessageId: number;
  /** The id of the answer. */
  readonly messageId: number;
  readonly state: MessageState;
  /** The text of the answer. */
  readonly text: string;
  readonly stopped: string | undefined;
  readonly toolCalls: readonly RecordedCall[];
  /** Whether a call that may have had an effect had begun and not ended. */
  readonly isUncertain: boolean;
  /** Origins of the untrusted content that it had read. */
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
  // Both are stored in one transaction.
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
