import type { Answer } from '../ask.ts';
import type { OpenQuestion } from '../questions.ts';
import type { Content } from '../result.ts';

/** A message that a channel sends. */
export interface OutgoingMessage {
  /** Markdown. */
  readonly text: string;
  /** Images, and files as resources. */
  readonly attachments?: readonly Content[];
  /** Labels of buttons. The label of a pressed button arrives as a message. */
  readonly buttons?: readonly string[];
}

export interface Channel {
  /** Resolves when the other side has accepted the message. Rejects with a PegboardError that says why it was not delivered. */
  deliver(chat: string, message: OutgoingMessage, signal: AbortSignal): Promise<void>;
  /** For channels that people have to poll, such as the terminal: returns waiting messages, oldest first, each once. */
  take?(chat: string): Promise<readonly WaitingMessage[]>;
  /**
   * Asks the owner a question that came up on another channel. Called for each question that opens in this process, and
   * again when nobody can answer it there. Resolves with undefined when this channel doesn't ask.
   */
  ask?(question: OpenQuestion, signal: AbortSignal): Promise<Answer | undefined>;
  /** The chat in which only the owner writes. What was said in others may be somebody else's words. Default: none. */
  ownerChat?(): Promise<string | undefined>;
  /**
   * Stands for the account and the people who may write. Hosts of one database work together only where it is the same.
   * Others can read it, so it contains no secret.
   */
  readonly identity?: string;
}

/** A channel of this home, connected or not. */
export interface KnownChannel {
  readonly name: string;
  /** While false, nothing is delivered. */
  readonly isConnected: boolean;
  /** The plugin that provides it, and the optional variables of its plugin.yaml. Empty for the chats of the page. */
  readonly plugin: string;
  readonly variables: readonly string[];
  /** The chat in which only the owner writes. Absent: the channel has none. */
  ownerChat?(): Promise<string | undefined>;
}

export interface WaitingMessage {
  /** Markdown. */
  readonly text: string;
  /** To be shown below it. */
  readonly images?: readonly Extract<Content, { readonly type: 'image' }>[];
  /** When it was sent. ISO 8601. */
  readonly at: string;
}

/** A chat of a channel of this home: "telegram", "12345". */
export interface Chat {
  readonly channel: string;
  readonly chat: string;
}

/** Rejects when the message was not delivered. */
export type Deliver = (to: Chat, message: OutgoingMessage, signal?: AbortSignal) => Promise<void>;
