import type { Answer } from './ask.ts';
import type { OpenQuestion } from './questions.ts';
import type { Content } from './result.ts';

/** What a channel sends. */
export interface OutgoingMessage {
  /** Markdown. */
  readonly text: string;
  /** Images, and files as resources. */
  readonly attachments?: readonly Content[];
  /** Choices that a person can press; the text of the pressed one comes back as a message. */
  readonly buttons?: readonly string[];
}

export interface Channel {
  /** Resolves when the other side has taken it. Rejects with a PegboardError that says why it has not. */
  deliver(chat: string, message: OutgoingMessage, signal: AbortSignal): Promise<void>;
  /** Where somebody has to come and look, as at the terminal: what waits there, oldest first. Each is handed out once. */
  take?(chat: string): Promise<readonly WaitingMessage[]>;
  /**
   * Puts a question of another place to the owner of this channel. Called for each that opens in this process, and once
   * more when it turns out that nobody is there. Resolves with undefined where this channel doesn't ask.
   */
  ask?(question: OpenQuestion, signal: AbortSignal): Promise<Answer | undefined>;
}

/** A channel that a plugin brings, also one that isn't connected just now. */
export interface KnownChannel {
  readonly name: string;
  /** Nothing arrives before it is. */
  readonly isConnected: boolean;
  /** The plugin that knows of it, and the variables that it may need, as its plugin.yaml names them. */
  readonly plugin: string;
  readonly variables: readonly string[];
}

export interface WaitingMessage {
  /** Markdown. */
  readonly text: string;
  /** When it was sent, ISO 8601. */
  readonly at: string;
}

/** A chat of a channel of this home: "telegram", "12345". */
export interface Chat {
  readonly channel: string;
  readonly chat: string;
}

/** Rejects when it was not delivered. */
export type Deliver = (to: Chat, message: OutgoingMessage, signal?: AbortSignal) => Promise<void>;
