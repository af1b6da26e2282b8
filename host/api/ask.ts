import type { JsonObject, JsonSchema } from './result.ts';

/**
 * A question to a person, in the shape of MCP's elicitation, so that upstreams' questions, confirmations and
 * our own prompts are one thing for every face: terminal, MCP client, Telegram, an embedding program.
 */
export interface Question {
  readonly message: string;
  /** What exactly is at stake: the command, a diff. Shown as it is, never interpreted. */
  readonly detail?: string;
  /** A flat object schema of strings, numbers, booleans and enums. Absent: only yes or no. */
  readonly schema?: JsonSchema;
  /** MCP's URL mode: the person is sent there instead of filling in a form. */
  readonly url?: string;
}

export type Answer =
  | { readonly action: 'accept'; readonly content?: JsonObject }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** Rejects only when `signal` aborts. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>;
