import type { Content, JsonObject, JsonSchema, MaybePromise } from './result.ts';
import type { Clock } from './surroundings.ts';

/** A tool as it is sent to a model. */
export interface WireTool {
  /** At most 64 characters of [A-Za-z0-9_-]. */
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** A call as the model wrote it. */
export interface ModelToolCall {
  /** Unique in its reply. Generated when the model gives none. */
  readonly id: string;
  readonly name: string;
  /** Unparsed JSON text, which may be invalid. */
  readonly arguments: string;
  /** Why the call must not run, written for the model, when it could not be understood in full. */
  readonly problem?: string;
}

export type ModelMessage =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly content: readonly Content[] }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls?: readonly ModelToolCall[];
      /** As it was in the reply. */
      readonly replay?: JsonObject;
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly content: readonly Content[];
    };

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly WireTool[];
  /** Finds any callable tool by any form of its name, even if it isn't in `tools`. Default: only `tools`. */
  readonly find?: (name: string) => WireTool | undefined;
  readonly signal: AbortSignal;
  /** Of the answer, in tokens. */
  readonly maxTokens?: number;
}

/** Events while the answer is streamed. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** Discards everything so far: the answer starts again, perhaps from another model. */
  | { readonly type: 'restart'; readonly reason: string };

/** Tokens, and US dollars where the price is known. `input` includes `cached`. */
export interface ModelUsage {
  readonly input: number;
  readonly output: number;
  readonly cached?: number;
  readonly cost?: number;
}

export interface ModelReply {
  readonly text: string;
  readonly toolCalls: readonly ModelToolCall[];
  readonly usage: ModelUsage;
  /** The model that answered, which may be a fallback. */
  readonly model: string;
  readonly finish: 'stop' | 'tool_calls' | 'length' | 'filtered';
  /**
   * What the provider wants back with this reply, such as signatures of its thinking. It comes back in the messages of
   * the same turn, also after a restart.
   */
  readonly replay?: JsonObject;
}

/** One configured model with its fallbacks. */
export interface Model {
  /** As configured: "openai/gpt-5". */
  readonly id: string;
  /** Tokens. */
  readonly contextWindow: number;
  /** False: tool schemas go into the system prompt, and calls are parsed from the text. */
  readonly nativeTools: boolean;
  /** Maximum number of tools in a request. Undefined: no limit. */
  readonly maxTools?: number | undefined;
  /**
   * Retries and falls back by itself, but never after a call may have been acted upon. Throws PEG_MODEL_UNAVAILABLE,
   * PEG_MODEL_REFUSED (bad key, unknown model, request not understood) or PEG_CANCELLED.
   */
  respond(request: ModelRequest, onEvent: (event: ModelEvent) => void): Promise<ModelReply>;
}

/** Where models come from: a protocol, a service with an interface of its own, an engine in this process. */
export interface ModelProvider {
  /**
   * A model of this provider, opened at its first use. Each call of `respond` is one request: trying again, falling back,
   * calls in text and keeping secrets out are the host's. Rejects with PEG_CONFIG for a model that there isn't.
   */
  open(settings: ModelSettings): MaybePromise<Model>;
  /** What it has now, for `pegboard models list`. Absent: that isn't known. */
  list?(
    settings: Pick<ModelSettings, 'baseUrl' | 'apiKey' | 'headers'>,
  ): MaybePromise<readonly OfferedModel[]>;
}

/** One of a provider's models. */
export interface OfferedModel {
  /** As its provider calls it. */
  readonly name: string;
  /** Tokens. */
  readonly contextWindow?: number;
  /** US dollars for a million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
}

/** What pegboard.yaml and the agent say of one model. */
export interface ModelSettings {
  /** "openai/gpt-5": how the model is called in messages and in replies. */
  readonly id: string;
  /** As its provider calls it. */
  readonly name: string;
  /** Tokens. Default: a size that most models support. */
  readonly contextWindow: number;
  readonly maxTools?: number | undefined;
  /** Empty where the configuration names none. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly temperature?: number;
  /** Of one answer, in tokens, where the request says nothing. */
  readonly maxTokens?: number;
  /** Milliseconds without news until a request is given up: before the first word, and between two. */
  readonly idleTimeouts?: { readonly firstMs: number; readonly nextMs: number };
  /** Of these limits. Default: the machine's. */
  readonly clock?: Clock;
}

/** A voice message or other recording of speech. */
export interface Recording {
  readonly bytes: Buffer;
  /** With an extension: servers tell the format by it. */
  readonly name: string;
  /** May be empty. */
  readonly mimeType: string;
}

/**
 * Speech to text and back, by the models that pegboard.yaml names. Both methods throw PEG_NO_MODEL where it names none,
 * PEG_MODEL_UNAVAILABLE, PEG_MODEL_REFUSED, PEG_LIMIT when the day's money is spent, PEG_CONFIG and PEG_CANCELLED.
 */
export interface Speech {
  /** Whether `models.transcription` is set. */
  readonly hears: boolean;
  /** The words of a recording, without secrets. Empty if there are none. */
  transcribe(recording: Recording, signal: AbortSignal): Promise<string>;
  /** Whether `models.speech` is set. */
  readonly speaks: boolean;
  /** A text as speech: an Ogg file with Opus. Of a long text, the first 4,000 characters. */
  speak(text: string, signal: AbortSignal): Promise<Buffer>;
}
