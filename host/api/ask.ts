import type { JsonObject, JsonSchema, MaybePromise } from './result.ts';

/**
 * A question to a person, in the shape of MCP's elicitation, so that upstreams' questions, confirmations and
 * our own prompts are one thing for every face: terminal, MCP client, Telegram, an embedding program.
 */
export interface Question {
  /** One line; further lines are shown as what somebody else says. */
  readonly message: string;
  /** What exactly is at stake: the command, a diff. Shown as it is, set off from what Pegboard says itself. */
  readonly detail?: string;
  /** What Pegboard itself says about it, a line each: where it runs, what to pay attention to. Shown after `detail`. */
  readonly notes?: readonly string[];
  /** A flat object schema of strings, numbers, booleans and enums. Absent: only yes or no. */
  readonly schema?: JsonSchema;
  /** MCP's URL mode: the person is sent there instead of filling in a form. */
  readonly url?: string;
  /** MCP's `_meta` of a server's question, for MCP clients. */
  readonly meta?: JsonObject;
  /**
   * Present where others may answer as well, in other places. An `Ask` with nobody behind it calls this and waits for
   * its signal.
   */
  readonly elsewhere?: () => void;
}

export type Answer = (
  | { readonly action: 'accept'; readonly content?: JsonObject }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }
) & {
  /** Who answered, in words; absent: whoever is asked there. */
  readonly by?: string;
  /** MCP's `_meta` of a client's answer, for the server that asked. */
  readonly meta?: JsonObject;
  /** Called when somebody elsewhere was first: what was asked about waits for it. */
  readonly onLost?: (outcome: AnsweredInstead) => MaybePromise<void>;
};

/** `message` says who answered, and how; `allowed`: what was asked about goes on. */
export interface AnsweredInstead {
  readonly message: string;
  readonly allowed: boolean;
}

/** Rejects only when `signal` aborts: with an AnsweredElsewhere as its reason, somebody else has answered. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>;
