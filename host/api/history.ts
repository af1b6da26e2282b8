import type { ConversationKey } from './conversation.ts';
import type { Origin } from './provenance.ts';

/** A message as it was stored. */
export interface StoredMessage {
  /** Grows with time over all conversations. */
  readonly id: number;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** Of a message, who wrote it, where that was not the owner; of an answer, what others wrote and its turn had read. */
  readonly untrusted: readonly Origin[];
  /** ISO 8601 */
  readonly at: string;
}

/** What was said in this home; for reading. */
export interface History {
  conversations(): Promise<readonly (ConversationKey & { readonly id: number })[]>;
  /** In order; those after message `after`, at most `limit`. */
  messages(
    conversation: number,
    range?: { readonly after?: number; readonly limit?: number },
  ): Promise<readonly StoredMessage[]>;
  /** What others wrote and those messages are made of. */
  originsOf(messages: readonly number[]): Promise<readonly Origin[]>;
  message(id: number): Promise<(StoredMessage & { readonly conversation: number }) | undefined>;
}
