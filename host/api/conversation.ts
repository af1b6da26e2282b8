import type { Ask } from './ask.ts';
import type { ConfirmPolicy } from './dispatch.ts';
import type { ModelUsage } from './model.ts';
import type { Attributed, Origin, Provenance } from './provenance.ts';
import type { Content, JsonObject, ToolResult } from './result.ts';
import type { Limits } from './source.ts';
import type { ToolCall } from './tool.ts';
import type { Workplace } from './known-folders.ts';

/** Identifies the conversation of a message: the channel, and the channel's own id for it. */
export interface ConversationKey {
  /** "cli", "telegram", "schedule", "agent". */
  readonly source: string;
  /** A chat id; "cli" for the terminal. */
  readonly externalId: string;
}

export interface IncomingMessage extends ConversationKey {
  readonly text: string;
  /** Images and files that came along. */
  readonly attachments?: readonly Content[];
  /** The text that the message answers, if it is a reply. */
  readonly replyTo?: string;
  /** Default: the home's default agent. */
  readonly agent?: string;
  /** Where its sender works, as far as it is known. */
  readonly workplace?: Workplace;
  /** Answers confirmations and questions. Absent: nobody can answer. */
  readonly ask?: Ask;
  /** The owner's explicit policy for this turn's calls. Default: the home's configuration. */
  readonly confirm?: ConfirmPolicy;
  readonly signal?: AbortSignal;
  /** Receives the turn's events. Must not throw. */
  readonly onEvent?: (event: TurnEvent) => void;
  /** Data from the channel for its tools and hooks, such as a Telegram chat id. */
  readonly context?: JsonObject;
  /** The call that sends the message. The turn's usage is also counted for that call. */
  readonly parent?: ToolCall;
  /** Restricts the turn: its agent may use only tools that each of these admits and that `parent` may use. */
  readonly within?: readonly Limits[];
  /** The origins of the message and its attachments, unless the owner wrote them. */
  readonly untrusted?: readonly Origin[];
  /** The channel's own id of the message, for replies. */
  readonly externalMessageId?: string;
  /** Stands before that id in what the model reads: "tg" for "[tg:123] ". Default: `source`. */
  readonly messageTag?: string;
  /**
   * An idempotency key, unique among all channels, with which the message can be sent again after its turn was
   * interrupted. The turn then goes on from the last stored reply of the model, with the results of the calls that had
   * ended; a message that was answered returns the stored answer. Throws PEG_CLAIM_LOST while another process works on it.
   */
  readonly key?: string;
  /** No other host works on the message with this key: its turn goes on here, even if it seems to run. Default: false. */
  readonly isClaimed?: boolean;
  /** With `key` and `ask`: a turn that was interrupted more than 15 minutes ago asks whether it goes on. */
  readonly askToGoOn?: true;
  /**
   * With `key`: aborting suspends the turn, to be resumed later. No model is called any more, calls that only read end at
   * once, and those that may have begun an effect get five seconds. Then throws PEG_CANCELLED.
   */
  readonly suspend?: AbortSignal;
}

/** In the order in which they happen. Events of tools that run in parallel are interleaved. */
export type TurnEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** Discards the text since the last tool call. */
  | { readonly type: 'restart'; readonly reason: string }
  /** `tool` is the id of the tool that runs, even when the model called it through execute_tool. */
  | { readonly type: 'tool_start'; readonly callId: string; readonly tool: string; readonly args: unknown }
  /** `message` is for people: "3/10 · reading". */
  | ({ readonly type: 'tool_progress'; readonly callId: string; readonly message: string } & Attributed)
  | {
      readonly type: 'tool_end';
      readonly callId: string;
      readonly tool: string;
      readonly result: ToolResult;
      /** Milliseconds. */
      readonly ms: number;
    }
  | { readonly type: 'notice'; readonly text: string };

export interface RecordedCall {
  readonly id: string;
  /** The tool's id, or the name that the model used when there is no such tool. */
  readonly tool: string;
  readonly args: unknown;
  /** The text that the model received. */
  readonly result: string;
  readonly ok: boolean;
  readonly ms: number;
}

export interface Reply {
  readonly text: string;
  /** In the order in which they ended. */
  readonly toolCalls: readonly RecordedCall[];
  readonly usage: ModelUsage;
  readonly conversation: ConversationKey & { readonly id: number };
  /** The origins of untrusted content that this turn, or one before it, has read. */
  readonly untrusted: readonly Origin[];
  /** The id of the stored answer. */
  readonly messageId: number;
  /**
   * Calls during which the turn was interrupted: whether they took effect is unknown, and they were not repeated. The text
   * says so too.
   */
  readonly uncertain?: readonly RecordedCall[];
  /** Why the turn ended early, for people: a limit, a cancellation. */
  readonly stopped?: string;
}

/** Runs a turn of an agent for one message: the only way to talk to an agent. Throws a PegboardError when there is no answer. */
export type Converse = (message: IncomingMessage) => Promise<Reply>;

/**
 * Hooks of plugins into turns. Without any, a turn uses its history alone. A hook that throws or exceeds its time limit
 * is skipped and logged.
 */
export interface TurnHooks {
  /** Runs first. May rewrite the text, or reply in place of the agent. */
  message(message: IncomingMessage): Promise<{ readonly text?: string; readonly reply?: string } | void>;
  /** Replaces the default of the last 20 messages with a prefix and the messages after the id `after`. */
  history(turn: TurnContext): Promise<HistoryPrefix | void>;
  /** Returns sections for the preamble, such as memories. */
  preTurn(turn: TurnContext): Promise<readonly PreambleSection[] | void>;
  /** Runs in the background after the reply was stored. The host awaits it only when it closes. */
  postTurn(turn: TurnContext, reply: Reply): Promise<void>;
}
export type TurnHookName = keyof TurnHooks;

export interface HistoryPrefix {
  readonly prefix: string;
  readonly after: number;
  /** The origins of untrusted content in the prefix. */
  readonly untrusted?: readonly Origin[];
}

export interface PreambleSection {
  /** "Recent memories -- use these for context" */
  readonly title: string;
  readonly lines: readonly string[];
}

export interface TurnContext {
  readonly message: IncomingMessage;
  readonly conversation: ConversationKey & { readonly id: number };
  readonly agent: string;
  /** The origins of untrusted content that this turn has read. */
  readonly untrusted: Provenance;
  /** The embedding of the message, computed once. Undefined when there are no embeddings or they fail. */
  embedding(): Promise<Float32Array | undefined>;
  readonly signal: AbortSignal;
  /** Runs `work` with the turn's timeout paused. Absent when the turn has no timeout. */
  pausedFor?<T>(work: () => Promise<T>): Promise<T>;
}
