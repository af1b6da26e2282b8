import type { Origin } from '../provenance.ts';

/** A chat of a service, or one topic of it. As text "CHAT" or "CHAT:TOPIC", so a chat's id contains no colon. */
export interface ChatAddress {
  readonly chat: string;
  readonly topic?: string;
}

/** Somebody who writes on the service. Who may write is decided by the id alone. */
export interface Person {
  readonly id: string;
  /** For display. */
  readonly name: string;
}

/** What a service has sent, as it is stored. */
export interface RawEvent {
  /** The service's own. An event with the same id is the same one, sent again. */
  readonly id: string;
  /** JSON, which `ChannelDriver.read` gets back. */
  readonly body: unknown;
}

export interface ChannelInbox {
  /** Resolves when the events are on disk. Acknowledge them to the service only then. */
  take(events: readonly RawEvent[]): Promise<void>;
  /** The commands that every channel answers, for services that offer them while people type. */
  readonly commands: readonly ChatCommand[];
}

export interface ChatCommand {
  /** Without the slash. */
  readonly command: string;
  readonly description: string;
}

/** What an event says. */
export type ChannelEvent = ReceivedMessage | ReceivedReaction | ButtonPress;

interface FromSomebody {
  readonly address: ChatAddress;
  /** Absent: another bot, a channel, or nobody who could be answered. The event is ignored. */
  readonly from?: Person;
  /** False in a chat of more than two. */
  readonly isPrivate: boolean;
}

export interface ReceivedMessage extends FromSomebody {
  readonly kind: 'message';
  /** The service's own. */
  readonly id: string;
  /** What the sender wrote, in words for the agent. May be empty next to `files` or `unsupported`. */
  readonly text: string;
  /** It replaces what the message with this id said before. */
  readonly isEdited?: boolean;
  /** Somebody else wrote it. */
  readonly isForwarded?: boolean;
  /** In a chat of more than two: it mentions the account, replies to it or is a command for it. */
  readonly isAddressed?: boolean;
  /** Default: `answer`, where it begins with a slash: "/tools 2". */
  readonly command?: { readonly name: string; readonly rest: string };
  /** Its text as the answer to a question. Absent where its sender has not typed all of it. */
  readonly answer?: string;
  /** The message that it replies to. */
  readonly replyTo?: string;
  /** The message that it replies to is the account's own. */
  readonly repliesToUs?: boolean;
  /** The text that it replies to or quotes. */
  readonly quote?: string;
  /** Who wrote what came with it, other than its sender and the account. */
  readonly untrusted?: readonly Origin[];
  readonly files?: readonly ReceivedFile[];
  /** Says that it holds something that can't be read, such as a recording, and what to send instead. */
  readonly unsupported?: string;
  /** Messages in a row with the same album are one. */
  readonly album?: string;
}

export interface ReceivedFile {
  /** What `download` needs. */
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
}

/** Somebody reacted to a message. The host knows its topic, where the service doesn't say it. */
export interface ReceivedReaction extends FromSomebody {
  readonly kind: 'reaction';
  /** The message. */
  readonly to: string;
  /** Those that were added. */
  readonly emojis: readonly string[];
}

export interface ButtonPress extends FromSomebody {
  readonly kind: 'press';
  /** The service's own, for `acknowledge`. */
  readonly id: string;
  /** `Button.data` */
  readonly data: string;
  /** The message with the button. */
  readonly message?: string;
}

/** A text as a service shows it: plain, and with the service's own markup where there is one. */
export interface StyledMessage {
  readonly text: string;
  /** Sent instead of `text`. */
  readonly markup?: string;
}

export interface OutgoingFile {
  readonly name: string;
  readonly mimeType: string;
  /** base64 */
  readonly data: string;
}

export type MessageContent =
  | ({ readonly kind: 'text' } & StyledMessage)
  | ({ readonly kind: 'file' } & OutgoingFile);

/** Shorten a label that has no room. `data` has at most 32 characters, of ASCII. */
export interface Button {
  readonly label: string;
  readonly data: string;
}

export interface SendOptions {
  readonly replyTo?: string;
  readonly buttons?: readonly Button[];
  /** A URL to open, beside the buttons. */
  readonly link?: string;
  /** It asks for a text: a service may open a reply to it. */
  readonly awaitsText?: boolean;
}

/** A part of a question. Its text holds anything, and must be shown as it is. */
export interface QuestionBlock {
  /** `line`: Pegboard's words. `quote` and `code`: words of others, set off so that no line looks like Pegboard's. */
  readonly kind: 'line' | 'quote' | 'code' | 'label';
  readonly text: string;
}

/** The messages that the host knows: those that came and those whose ids it has heard. */
export interface KnownMessages {
  has(chat: string, id: string): Promise<boolean>;
  /** The message of each chat that was noted last. */
  latest(): Promise<readonly { readonly chat: string; readonly id: string }[]>;
}

/**
 * What a channel knows of its service, and nothing else: queues, restarts, drafts, questions and pairing are the host's.
 * Every method that talks to the service throws a `ChannelFailure` that says whether it took effect; anything else that
 * is thrown counts as `unknown`. Ids are those of the service, as text. Without an optional member, the host does
 * without it.
 */
export interface ChannelDriver {
  /** The account at the service: events of another account are other events. */
  readonly account?: string;
  /**
   * Resolves when the service answers and the driver knows what `read` needs. Awaited before events are read, and again
   * after a message whose outcome is unknown, before the next one is sent.
   */
  connect?(signal: AbortSignal): Promise<void>;
  /** Hands events to the inbox until `signal` aborts. Must survive whatever happens to the connection. */
  listen(inbox: ChannelInbox, signal: AbortSignal): Promise<void>;
  /** What an event says. Undefined: nothing that anybody needs. Called again for the same event after a restart. */
  read(body: unknown): ChannelEvent | undefined;
  /** Sends one message, and returns its id. */
  send(to: ChatAddress, content: MessageContent, options: SendOptions, signal: AbortSignal): Promise<string>;

  /** Markdown as messages, split by the service's limits. Must give the same again. Default: one message, as it is. */
  render?(markdown: string): readonly StyledMessage[];
  /** A question as one message. Default: text, with a margin before the words of others. */
  renderQuestion?(blocks: readonly QuestionBlock[]): StyledMessage;
  /** `send` shows `SendOptions.buttons`. Otherwise questions name the choices, and are answered with a text. */
  readonly hasButtons?: boolean;
  /** Tells who pressed a button what came of it: at most 200 characters, or nothing. */
  acknowledge?(press: ButtonPress, notice: string, signal: AbortSignal): Promise<void>;

  /** Removes the buttons of a message, and leaves its text. */
  clearButtons?(to: ChatAddress, id: string, signal: AbortSignal): Promise<void>;

  /**
   * Replaces the text of a message and removes its buttons. Doing it twice is the same as once. False: there is no such
   * message of this account any more. With `remove`, answers are shown while they are written.
   */
  edit?(
    to: ChatAddress,
    id: string,
    text: StyledMessage,
    options: SendOptions,
    signal: AbortSignal,
  ): Promise<boolean>;
  /** Nothing happens if there is no such message. */
  remove?(to: ChatAddress, id: string, signal: AbortSignal): Promise<void>;
  /** Milliseconds between two edits of a message that is being written. Default: 1,200. */
  draftIntervalMs?(to: ChatAddress, isPrivate: boolean): number;
  /** Nothing happens if the message is gone or takes no such reaction. */
  react?(to: ChatAddress, id: string, emoji: string, signal: AbortSignal): Promise<void>;
  /** Called every four seconds while an agent works. */
  typing?(to: ChatAddress): Promise<void>;

  /**
   * Stands before the id of a message in what agents read: "tg" for "[tg:123] ". Letters and digits. Default: the channel's
   * name.
   */
  readonly messageTag?: string;

  /** Where the next message will be, for `find`. Stored before it is sent. */
  mark?(to: ChatAddress, known: KnownMessages): Promise<string>;
  /**
   * Looks for a message that was sent after the mark, and whose id is not known because the connection or the process
   * ended. Replaces its text. Undefined: it was not sent, or can't be found.
   */
  find?(wanted: LostMessage, known: KnownMessages, signal: AbortSignal): Promise<string | undefined>;

  /** Throws where there is no such file any more. */
  download?(file: ReceivedFile, signal: AbortSignal): Promise<Buffer>;
  /** Bytes. Default: 20 MB. */
  readonly maxDownloadBytes?: number;
  /** Bytes. Default: no limit. */
  readonly maxUploadBytes?: number;

  /** The chat in which somebody is alone with the account. Default: its id is that of the person. */
  directChat?(person: string): Promise<ChatAddress>;
  /** How chats are written, for people, where the address can't be one: `give its number, "12345"`. */
  addressProblem?(address: ChatAddress): string | undefined;
}

export interface LostMessage {
  readonly to: ChatAddress;
  readonly mark: string;
  /** What it becomes. */
  readonly text: StyledMessage;
  readonly options: SendOptions;
}
