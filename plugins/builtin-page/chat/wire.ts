/** What goes between a host and the chats of its page. Types only. */

/** A chat of the page ("c…"), or a conversation that is held elsewhere (its number). */
export interface ChatRow {
  readonly id: string;
  /** "web", "cli", "telegram" … */
  readonly source: string;
  /** The beginning of its first message, or what it was named. */
  readonly opening: string;
  readonly messages: number;
  /** When the last message was stored. */
  readonly at: string;
  readonly isRunning: boolean;
}

export interface ChatList {
  readonly chats: readonly ChatRow[];
  /** The model that answers, or why none does. */
  readonly model: { readonly ok: boolean; readonly text: string; readonly fix?: string };
  readonly commands: readonly { readonly command: string; readonly description: string }[];
}

export interface ChatFile {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
}

export interface ChatCall {
  /** Its path under "chat-result". */
  readonly id: string;
  readonly tool: string;
  /** The beginning of its arguments as JSON. */
  readonly args: string;
  /** What it last said of its progress. */
  readonly progress?: string;
  /** The beginning of its result; absent while it runs. */
  readonly result?: string;
  /** Whether `result` is not the whole one. */
  readonly isCut?: boolean;
  readonly ok?: boolean;
  /** It was interrupted: whether it took effect is unknown. */
  readonly isInterrupted?: boolean;
  /** Milliseconds. */
  readonly ms?: number;
}

interface ItemBase {
  /** Unique in its chat. */
  readonly key: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** What somebody wrote. */
export interface SaidItem extends ItemBase {
  readonly kind: 'said';
  /** The channel's id of the message. */
  readonly id?: string;
  readonly text: string;
  readonly files: readonly ChatFile[];
  /** Images that are not kept as files. */
  readonly images?: number;
}

export interface AnswerItem extends ItemBase {
  readonly kind: 'answer';
  /** The id of the stored answer. */
  readonly message: number;
  readonly agent: string;
  readonly text: string;
  readonly calls: readonly ChatCall[];
  /** Why it ended early. */
  readonly stopped?: string;
  readonly isInterrupted: boolean;
  /** Who else's words its turn has read. */
  readonly untrusted: readonly string[];
}

/** What Pegboard sent besides answers: files, notices, questions that are no approvals. */
export interface NoteItem extends ItemBase {
  readonly kind: 'note';
  readonly id?: string;
  readonly text: string;
  readonly files: readonly ChatFile[];
  /** It asks. Quotes and code are somebody else's words. */
  readonly blocks?: readonly {
    readonly kind: 'line' | 'quote' | 'code' | 'label';
    readonly text: string;
  }[];
  readonly buttons?: readonly { readonly label: string; readonly data: string }[];
  readonly link?: string;
}

/** An approval that was asked for, and what came of it. */
export interface AskedItem extends ItemBase {
  readonly kind: 'asked';
  readonly question: number;
  readonly tool: string;
  readonly message: string;
  /** Absent when nobody answered. */
  readonly decision?: string;
  readonly by?: string;
}

export type ChatItem = SaidItem | AnswerItem | NoteItem | AskedItem;

/** A turn that runs, as far as it has come. */
export interface TurnView {
  readonly id: number;
  readonly chat: string;
  /** Increases by one with every change that is sent. */
  readonly seq: number;
  readonly agent: string;
  /** The channel's id of the message that it answers. */
  readonly answers?: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The id that its stored answer has. */
  readonly message?: number;
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly ChatCall[];
  readonly notice?: string;
}

export interface ChatPage {
  readonly id: string;
  readonly source: string;
  /** Oldest first. */
  readonly items: readonly ChatItem[];
  /** What `before` takes for earlier ones; absent when there are none. */
  readonly earlier?: string;
  readonly running?: TurnView;
  /** Ids of messages that are not answered yet. */
  readonly waiting: readonly string[];
}

/** Sent on the one stream of a browser. */
export type ChatEvent =
  /** The text from `from` on is now `text`; calls replace those with their id. */
  | {
      readonly type: 'turn';
      readonly turn: Omit<TurnView, 'text' | 'calls'> & {
        readonly from?: number;
        readonly text?: string;
        readonly calls: readonly ChatCall[];
      };
    }
  | { readonly type: 'turn-ended'; readonly turn: number; readonly chat: string }
  /** Their messages have changed. */
  | { readonly type: 'chats'; readonly chats: readonly string[] };
