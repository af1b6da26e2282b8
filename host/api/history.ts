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
  /** The channel's own id, where it gave one; of an answer in several messages that of the first. */
  readonly externalMessageId?: string;
}

/** What was said in this home. */
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
  /** By the channel's own id, in whichever conversation of this key it was said. */
  find(key: ConversationKey, externalMessageId: string): Promise<StoredMessage | undefined>;
  /** Adds what was said to a chat outside of its turns, such as what a schedule sent. */
  note(key: ConversationKey, said: Pick<StoredMessage, 'text' | 'untrusted'>): Promise<void>;
  /** For channels: which of their messages a stored answer became. */
  keepExternalId(id: number, externalMessageId: string): Promise<void>;
}
