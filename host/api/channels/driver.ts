import type { Ask } from '../ask.ts';
import type { Origin } from '../provenance.ts';
import type { HistoryMessage, HistoryQuery, KnownMessages, LostMessage } from './history.ts';
import type { ChannelInbox, ConnectionStatus } from './inbox.ts';

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

export interface ChatCommand {
  /** Without the slash. */
  readonly command: string;
  readonly description: string;
  /** What may be written behind it: "a page, a module, or words". Absent: nothing. */
  readonly words?: string;
}

/** What a service says about the account. */
export interface AccountInfo {
  /** How people find it: "@your_bot". */
  readonly contact?: string;
  /** What else its owner can do, for `doctor`: "to add it to a server: https://…". */
  readonly hint?: string;
}

/** A parsed event. */
export type ChannelEvent = ReceivedMessage | ReceivedReaction | ButtonPress | ChatChange;

/** What all parsed events have. */
export interface ChannelEventBase {
  readonly address: ChatAddress;
  /** Absent for other bots, channels and events without a sender, which are ignored. */
  readonly from?: Person;
  /** False in a chat of more than two. */
  readonly isPrivate: boolean;
}

export interface ReceivedMessage extends ChannelEventBase {
  readonly kind: 'message';
  /** The service's id. */
  readonly id: string;
  /** The text for the agent. May be empty if there are `files` or `unsupported` is set. */
  readonly text: string;
  /** It replaces the earlier text of the message with this id. */
  readonly isEdited?: boolean;
  /** Somebody else wrote it. */
  readonly isForwarded?: boolean;
  /** In a chat of more than two: it mentions the account, replies to it or is a command for it. */
  readonly isAddressed?: boolean;
  /** Default: parsed from `answer` if that begins with a slash: "/tools 2". */
  readonly command?: { readonly name: string; readonly rest: string };
  /** Its text as the answer to a question. Absent if the sender has not typed all of it. */
  readonly answer?: string;
  /** The message that it replies to. */
  readonly replyTo?: string;
  /** The message that it replies to is the account's own. */
  readonly repliesToUs?: boolean;
  /** The text that it replies to or quotes; empty for a message without text. */
  readonly quote?: string;
  /**
   * The origins of content that neither the sender nor the account wrote. The host adds those of a forwarded message and
   * of files.
   */
  readonly untrusted?: readonly Origin[];
  /** Everything that is attached. The host tells by their types which can be read and which listened to. */
  readonly files?: readonly ReceivedFile[];
  /** For the sender, if it contains something else that can't be read: what to send instead. */
  readonly unsupported?: string;
  /** Consecutive messages with the same album are treated as one. */
  readonly album?: string;
}

export interface ReceivedFile {
  /** Used by `download`. */
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  /** The sender recorded it on the service, so nobody else made it. */
  readonly isVoice?: boolean;
}

/** A reaction to a message. The host finds the topic if the service doesn't report it. */
export interface ReceivedReaction extends ChannelEventBase {
  readonly kind: 'reaction';
  /** The message's id. */
  readonly to: string;
  /** The reactions that were added. */
  readonly emojis: readonly string[];
}

export interface ButtonPress extends ChannelEventBase {
  readonly kind: 'press';
  /** The service's id, for `acknowledge`. */
  readonly id: string;
  /** `Button.data` */
  readonly data: string;
  /** The message with the button. */
  readonly message?: string;
}

/**
 * The service says of a chat that it takes messages of the account again, or that it has another id from now on. The
 * service itself must have said so: nobody's words can.
 */
export interface ChatChange extends ChannelEventBase {
  readonly kind: 'chat';
  /** The new id. Never for a chat of two: its person answers for it. */
  readonly movedTo?: string;
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

/** `data`: at most 32 ASCII characters. */
export interface Button {
  readonly label: string;
  readonly data: string;
}

/** What a service shows of buttons. The host shortens labels and leaves out what is too much. */
export interface ButtonLimits {
  /** Characters of a label. */
  readonly label: number;
  /** Of buttons under one message, with the link. Default: no limit. */
  readonly count?: number;
}

export interface SendOptions {
  readonly replyTo?: string;
  readonly buttons?: readonly Button[];
  /** A URL to open, beside the buttons. */
  readonly link?: string;
  /** It asks for a text: a service may prompt the user to reply. */
  readonly awaitsText?: boolean;
  /** The same when the message is sent again, because it is unknown whether it arrived. Unique in the home. */
  readonly key?: string;
  /** The id of the stored answer that the message delivers. */
  readonly answer?: number;
}

/** A part of a question. Its text may contain anything and must be shown verbatim. */
export interface QuestionBlock {
  /** `line`: Pegboard's text. `quote` and `code`: text by others, set off so that it can't pass for Pegboard's. */
  readonly kind: 'line' | 'quote' | 'code' | 'label';
  readonly text: string;
}

/**
 * The service-specific part of a channel. The host handles queues, restarts, drafts, questions and pairing. Methods that
 * talk to the service throw a `ChannelFailure` that says whether the request took effect; any other error counts as
 * `unknown`. Ids are those of the service, as text. Features whose optional members are missing are not used.
 */
export interface ChannelDriver {
  /** The account at the service. Event ids are unique per account. */
  readonly account?: string;
  /**
   * Asks the service which account this is, and loads what `read` needs. If it throws, the host tells the owner what is
   * wrong and tries again. Awaited on every host before events are read, again after a message whose outcome is unknown,
   * and by `doctor`.
   */
  connect?(signal: AbortSignal): Promise<AccountInfo>;
  /** Whether every host listens, since each receives events of its own. Default: one host listens for all. */
  readonly listensEverywhere?: boolean;
  /**
   * Passes events to the inbox until the connection ends or `signal` aborts. If it throws or ends before, the host says so
   * where it is a sign of trouble, waits, and calls it again: as long as a `ChannelFailure` asks for, else a moment that
   * grows with the failures since `working`.
   */
  listen(inbox: ChannelInbox, signal: AbortSignal, status: ConnectionStatus): Promise<void>;
  /** Gives the service the list of commands, for people to pick from. Called before the first `listen`. */
  offerCommands?(commands: readonly ChatCommand[], signal: AbortSignal): Promise<void>;
  /** Parses an event. Undefined: the event is ignored. Called again for the same event after a restart. */
  read(body: unknown): ChannelEvent | undefined;
  /**
   * Sends one message, without previews of links, and returns its id. A `ChannelFailure` says whether this message is at
   * fault, or whether the chat or the account takes none: then it is kept and sent later.
   */
  send(to: ChatAddress, content: MessageContent, options: SendOptions, signal: AbortSignal): Promise<string>;

  /**
   * Markdown as messages, split by the service's limits. Must be deterministic. Default: as it is, or with drawn tables if
   * the service `showsMarkdown`, in messages of `maxTextLength`, or in one if there is none.
   */
  render?(markdown: string): readonly StyledMessage[];
  /** The service shows Markdown, but no tables: these are drawn as text. Questions are Markdown, too. */
  readonly showsMarkdown?: boolean;
  /** A question as one message. Default: Markdown if the service shows it, else text with a margin before text by others. */
  renderQuestion?(blocks: readonly QuestionBlock[]): StyledMessage;
  /** Characters of one message. A question has at most 4,000, and what is too long for it is sent as a file before. */
  readonly maxTextLength?: number;
  /**
   * Characters at which people's programs split a longer text into several messages. What follows within a second then
   * belongs to it. Default: they don't.
   */
  readonly splitLength?: number;
  /** `send` supports `SendOptions.buttons`. Otherwise questions list their choices and are answered with a text. */
  readonly hasButtons?: boolean;
  readonly buttonLimits?: ButtonLimits;
  /** Shows a notice to the person who pressed a button: at most 200 characters, may be empty. */
  acknowledge?(press: ButtonPress, notice: string, signal: AbortSignal): Promise<void>;

  /**
   * Answers whether a call may run, for a service that shows the home's open questions itself: see `askElsewhere`.
   * Default: it is asked in the chat, like other questions.
   */
  readonly approve?: Ask;
  /**
   * `send` sends a message with a known `SendOptions.key` once: messages whose delivery is unknown are sent again, also
   * after a restart unless the service knows keys only `for a minute`.
   */
  readonly ignoresRepeats?: boolean | 'for a minute';

  /** Removes the buttons of a message and keeps its text. */
  clearButtons?(to: ChatAddress, id: string, signal: AbortSignal): Promise<void>;

  /**
   * Replaces the text of a message and removes its buttons. Idempotent. False: the account has no such message any more.
   * With `remove`, answers are shown while they are written.
   */
  edit?(
    to: ChatAddress,
    id: string,
    text: StyledMessage,
    options: SendOptions,
    signal: AbortSignal,
  ): Promise<boolean>;
  /** Does nothing if there is no such message. */
  remove?(to: ChatAddress, id: string, signal: AbortSignal): Promise<void>;
  /** Milliseconds between two edits of a message that is being written. Default: 1,200. */
  draftIntervalMs?(to: ChatAddress, isPrivate: boolean): number;
  /** Does nothing if the message is gone or doesn't allow the reaction. */
  react?(to: ChatAddress, id: string, emoji: string, signal: AbortSignal): Promise<void>;
  /** Called every four seconds while an agent works, and to find out whether a chat takes messages again. */
  typing?(to: ChatAddress): Promise<void>;

  /**
   * The prefix of message ids in the text for agents: "tg" for "[tg:123] ". Letters and digits. Default: the channel's
   * name.
   */
  readonly messageTag?: string;

  /**
   * The first messages of a chat after another one, the oldest first; none, if there are no more. Among them the host finds
   * a message of the account whose id is unknown because the connection or the process ended, and what others wrote while
   * nothing was received.
   */
  history?(query: HistoryQuery, signal: AbortSignal): Promise<readonly HistoryMessage[]>;
  /** For services that can't list messages: a position before the next one, for `find`. Stored before that is sent. */
  mark?(to: ChatAddress, known: KnownMessages): Promise<string>;
  /**
   * Finds a message that was sent after the mark and whose id is unknown. Replaces its text. Undefined: it was not sent, or
   * can't be found.
   */
  find?(lost: LostMessage, known: KnownMessages, signal: AbortSignal): Promise<string | undefined>;

  /** Throws if the file no longer exists. */
  download?(file: ReceivedFile, signal: AbortSignal): Promise<Buffer>;
  /** Bytes. Default: 20 MB. */
  readonly maxDownloadBytes?: number;
  /** Bytes. Default: no limit. */
  readonly maxUploadBytes?: number;

  /** The private chat between a person and the account. Default: its id is that of the person. */
  directChat?(person: string): Promise<ChatAddress>;
  /** For an invalid address, a hint on how chats are written: `give its number, "12345"`. */
  addressProblem?(address: ChatAddress): string | undefined;
}
