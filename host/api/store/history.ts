import type { ConversationKey } from '../conversation.ts';
import type { Origin } from '../provenance.ts';

/** A stored message. */
export interface StoredMessage {
  /** Increases over time across all conversations. */
  readonly id: number;
  readonly role: 'user' | 'assistant';
  readonly text: string;
  /** For a user's message, its author unless that is the owner; for an answer, the untrusted content that its turn had read. */
  readonly untrusted: readonly Origin[];
  /** ISO 8601. */
  readonly at: string;
  /** The channel's own id, if any. For an answer in several messages, the id of the first. */
  readonly externalMessageId?: string;
}

/** The stored conversations of this home. */
export interface History {
  conversations(): Promise<readonly (ConversationKey & { readonly id: number })[]>;
  /** At most `limit` messages after the message `after`, in order. */
  messages(
    conversation: number,
    range?: { readonly after?: number; readonly limit?: number },
  ): Promise<readonly StoredMessage[]>;
  /** The origins of untrusted content in these messages. */
  originsOf(messages: readonly number[]): Promise<readonly Origin[]>;
  message(id: number): Promise<(StoredMessage & { readonly conversation: number }) | undefined>;
  /** The message that the turn with this key answers. */
  ofTurn(key: string): Promise<StoredMessage | undefined>;
  /** Finds a message by the channel's own id in any conversation with this key. */
  find(key: ConversationKey, externalMessageId: string): Promise<StoredMessage | undefined>;
  /** Adds a message that was sent to a chat outside of its turns, such as by a schedule. */
  note(key: ConversationKey, said: Pick<StoredMessage, 'text' | 'untrusted'>): Promise<void>;
  /** For channels: stores the channel's id of a stored answer. */
  keepExternalId(id: number, externalMessageId: string): Promise<void>;
}
