import type { Ask } from './ask.ts';
import type { ConfirmPolicy } from './dispatch.ts';
import type { ModelUsage } from './model.ts';
import type { Attributed, Origin, Provenance } from './provenance.ts';
import type { Content, JsonObject, ToolResult } from './result.ts';
import type { Access } from './source.ts';
import type { ToolCall } from './tool.ts';

/** Which conversation a message belongs to: the channel, and the channel's own name for it. */
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
  /** Absent: the home's default agent. */
  readonly agent?: string;
  /** Whoever can answer confirmations and questions; absent: nobody. */
  readonly ask?: Ask;
  /** An explicit decision of the owner about this turn's calls; absent: the home's configuration holds. */
  readonly confirm?: ConfirmPolicy;
  readonly signal?: AbortSignal;
  /** Hears the turn as it goes. Must not throw. */
  readonly onEvent?: (event: TurnEvent) => void;
  /** What the channel wants its tools and hooks to know: a Telegram chat id. */
  readonly context?: JsonObject;
  /** The call that hands it on: what the turn uses counts for that call as well. */
  readonly parent?: ToolCall;
  /** Confines the turn: what each of these admits, and `parent` may use, is all that its agent may. */
  readonly within?: readonly Access[];
  /** Who wrote it or what came with it, where that was not the owner. */
  readonly untrusted?: readonly Origin[];
  /** The channel's own id of the message, for replies. */
  readonly externalMessageId?: string;
  /**
   * Names this very message, among those of all channels, so that it can be given again after its turn was cut off. Then
   * the turn goes on from the calls that had ended; one that was answered gives the stored answer. Throws PEG_UNCERTAIN
   * where a call had begun that may have had an effect, and not ended.
   */
  readonly key?: string;
  /**
   * With `key`: aborts when the turn is to go on later. No model is asked any more, and what runs gets a while to end.
   * Throws PEG_CANCELLED then.
   */
  readonly suspend?: AbortSignal;
}

/** In the order in which things happen; the events of tools that run side by side mix. */
export type TurnEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** The text since the last tool call does not count. */
  | { readonly type: 'restart'; readonly reason: string }
  /** `tool` is the id that runs, also where the model went through execute_tool. */
  | { readonly type: 'tool_start'; readonly callId: string; readonly tool: string; readonly args: unknown }
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
  /** The tool's id, or what the model called it when there is no such tool. */
  readonly tool: string;
  readonly args: unknown;
  /** What the model got to read. */
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
  /** What others wrote and the turn has read, or had read before. */
  readonly untrusted: readonly Origin[];
  /** Of the stored answer. */
  readonly messageId: number;
  /** Why the turn ended early, in plain words: a limit, a cancellation. */
  readonly stopped?: string;
}

/** One message through everything: the only way to talk to an agent. Throws a PegboardError when no answer came. */
export type Converse = (message: IncomingMessage) => Promise<Reply>;

/**
 * What turns add to. Plugins fill these; without any, a turn runs on its history alone. A hook that throws or takes
 * longer than its limit is left out of the turn, and logged.
 */
export interface TurnHooks {
  /** Before anything is read: may rewrite the text or answer in the agent's place. */
  message(message: IncomingMessage): Promise<{ readonly text?: string; readonly reply?: string } | void>;
  /** Replaces the last 20 messages: a prefix that stands for all before `after`, a message's id. */
  history(turn: TurnContext): Promise<HistoryPrefix | void>;
  /** Sections of the preamble, such as memories. */
  preTurn(turn: TurnContext): Promise<readonly PreambleSection[] | void>;
  /** After the reply was stored; the host waits for it only when it closes. */
  postTurn(turn: TurnContext, reply: Reply): Promise<void>;
}
export type TurnHookName = keyof TurnHooks;

export interface HistoryPrefix {
  readonly prefix: string;
  readonly after: number;
  /** What others wrote and it was made of. */
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
  /** What others wrote and this turn has read. */
  readonly untrusted: Provenance;
  /** Of the message, computed once and shared; undefined where there are no embeddings or they fail. */
  embedding(): Promise<Float32Array | undefined>;
  readonly signal: AbortSignal;
  /** Runs `work` while the turn's clock stands still. Absent: it has none. */
  pausedFor?<T>(work: () => Promise<T>): Promise<T>;
}
