/** One answer of the model: a text, calls of tools, or both. An empty one is an empty text. */
export interface ScriptedReply {
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  /** Sent before the text, as `reasoning_content`. */
  readonly thinking?: string;
  /** Merged into the counted usage: `{ cost: 0.01, prompt_tokens_details: { cached_tokens: 90 } }`. */
  readonly usage?: object;
  /** Into how many pieces the text and each call's arguments are cut when streamed; 3 when absent. */
  readonly chunks?: number;
  readonly finish?: 'stop' | 'tool_calls' | 'length' | 'content_filter';
  readonly faults?: ScriptedFaults;
}

export interface ScriptedCall {
  readonly name: string;
  /** Text is sent as it is, so it may be no JSON. */
  readonly arguments: object | string;
  readonly id?: string;
}

/** What real servers get wrong, each on its own. */
export interface ScriptedFaults {
  /** An error instead of an answer: 429, 500, 401 … */
  readonly status?: number;
  /** Seconds, or a date: the Retry-After header that comes with `status`. */
  readonly retryAfter?: number | string;
  /** The text of the error that comes with `status`. */
  readonly message?: string;
  /** Its code. */
  readonly code?: string;
  /** The connection breaks off after this number of chunks. */
  readonly cutAfter?: number;
  /** Nothing more is sent after this number of chunks, and the connection stays open. 0: not even headers. */
  readonly hangAfter?: number;
  /** The stream says in a chunk of its own, after so many, that something failed. */
  readonly errorAfter?: number;
  readonly noDone?: true;
  readonly crlf?: true;
  /** A first chunk without any choice. */
  readonly emptyChoices?: true;
  readonly noIds?: true;
  readonly noIndexes?: true;
  readonly argumentsAsObject?: true;
  /** Names of tools come in two pieces. */
  readonly splitNames?: true;
  /** Every piece of a call repeats its id and name. */
  readonly repeatNames?: true;
  /** `finish_reason: stop` although tools are called. */
  readonly finishStop?: true;
  readonly noFinish?: true;
  readonly noUsage?: true;
  /** Thinking comes as `<think>…</think>` at the start of the text. */
  readonly thinkInText?: true;
  /** A stream is asked for, and one JSON document comes. */
  readonly noStream?: true;
}

/** The body of a request for a chat completion. */
export interface ScriptedRequest {
  readonly model: string;
  readonly messages: readonly any[];
  readonly tools?: readonly any[];
  readonly stream?: boolean;
  readonly [key: string]: unknown;
}

/** Replies in order, or a function of the request and of how many were answered before it. */
export type Script =
  | readonly ScriptedReply[]
  | ((request: ScriptedRequest, index: number) => ScriptedReply | Promise<ScriptedReply>);
