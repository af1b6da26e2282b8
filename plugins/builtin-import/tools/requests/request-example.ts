import type { LeftOutTool } from '../tool-plan.ts';

/** A name and its value; what it means, where the source says so. */
export interface Pair {
  readonly name: string;
  readonly value: string;
  readonly description?: string;
}

export type ExampleBody =
  | { readonly kind: 'json'; readonly json: unknown }
  | { readonly kind: 'form'; readonly pairs: readonly Pair[] }
  | { readonly kind: 'text'; readonly text: string };

/**
 * One request as somebody has sent it. In its texts, `{{name}}` is a value that changes, and `${NAME}` is a variable or
 * secret.
 */
export interface RequestExample {
  /** What the tool is to be called; made of method and path when absent. */
  readonly name?: string;
  readonly title?: string;
  readonly description?: string;
  readonly documentation?: string;
  readonly folder?: string;
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: readonly Pair[];
  readonly body?: ExampleBody;
  /** Seconds. */
  readonly timeout?: number;
  /** Of its own `{{name}}`, where nobody gives another. */
  readonly values?: ReadonlyMap<string, string>;
  /** Parts of the source that the request doesn't have. */
  readonly notTaken?: readonly LeftOutTool[];
}

/** A request of which no tool can be made. The message says why, as the end of a sentence. */
export class UnusableRequest extends Error {}
