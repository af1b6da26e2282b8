import type { JsonObject, JsonSchema, MaybePromise } from './result.ts';

/**
 * What a question asks for. `confirm`: yes or no, or how far a permission goes. `form`: values of a schema. `url`: to open
 * an address. `dialog`: one of some buttons. `files`: files of the person. `notification`: nothing; it only has to be shown.
 */
export type QuestionKind = 'confirm' | 'form' | 'url' | 'dialog' | 'files' | 'notification';

/**
 * A question to a person, in the shape of MCP's elicitation. Questions of MCP servers, confirmations and Pegboard's own
 * prompts all use it, on every channel: terminal, MCP client, Telegram, the page, an embedding program.
 */
export interface Question {
  /** Absent: `url` with a url, `form` with a schema, else `confirm`. A dialog has a schema with one enum. */
  readonly kind?: QuestionKind;
  /** With kind `files`: whether more than one may be chosen. The answer has `files`, a list of PickedFile. */
  readonly multiple?: boolean;
  /** One line. Further lines are shown as quoted text. */
  readonly message: string;
  /**
   * What would happen, on one line, for places that show only the beginning of a question. `said` is text of others, with
   * any characters. Default: the first line of `message`, and `detail`.
   */
  readonly brief?: { readonly head: string; readonly said: string };
  /** What exactly would happen: the command, a diff. Shown verbatim and set off from Pegboard's own text. */
  readonly detail?: string;
  /** Pegboard's remarks, one per line: where it runs, what to check. Shown after `detail`. */
  readonly notes?: readonly string[];
  /** The two answers to a question of kind `confirm` without a schema. Default: Yes and No. */
  readonly labels?: { readonly accept: string; readonly decline: string };
  /** A flat object schema of strings, numbers, booleans and enums. Without one the answer is yes or no. */
  readonly schema?: JsonSchema;
  /** A decline may come with what to do instead. */
  readonly takesInstead?: boolean;
  /** MCP's URL mode: the person opens this URL instead of filling in a form. */
  readonly url?: string;
  /** MCP's `_meta` of a server's question, for MCP clients. */
  readonly meta?: JsonObject;
  /**
   * Present when the question can also be answered on another channel. An `Ask` that can't reach anybody, or can't ask for
   * this kind, calls this and waits for its signal. `seen`: a confirmation waits only where somebody is shown it.
   */
  readonly elsewhere?: (waits?: 'always' | 'seen') => void;
}

export type Answer = (
  | { readonly action: 'accept'; readonly content?: JsonObject }
  | {
      readonly action: 'decline';
      /** What the person wants instead, in their words, where the question takes that. */
      readonly instead?: string;
    }
  | { readonly action: 'cancel' }
) & {
  /** Who answered, as text. Default: the person on this channel. */
  readonly by?: string;
  /** Nobody could be asked, here or elsewhere. */
  readonly unasked?: true;
  /** MCP's `_meta` of a client's answer, passed to the server that asked. */
  readonly meta?: JsonObject;
  /** Called when an answer on another channel came first. The call waits for it to resolve. */
  readonly onLost?: (outcome: AnsweredInstead) => MaybePromise<void>;
};

/** A file that a person has chosen, as it stands in the answer to a question of kind `files`. */
export interface PickedFile {
  /** Its name there, without a folder. */
  readonly name: string;
  /** Absolute: where it lies on the machine of the host. */
  readonly path: string;
  readonly mimeType: string;
  /** Bytes. */
  readonly size: number;
}

/** An answer from another channel. `message` says who answered and how; `allowed`, whether the call may run. */
export interface AnsweredInstead {
  readonly message: string;
  readonly allowed: boolean;
}

/** Rejects only when `signal` aborts. The reason is an AnsweredElsewhere when another channel has answered. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>;
