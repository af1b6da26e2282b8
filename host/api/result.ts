/** Results and failures. Content blocks are MCP's, so that MCP servers and clients need no mapping. */
import type { Attributed } from './provenance.ts';

export type JsonObject = { readonly [key: string]: unknown };
/** A JSON Schema (2020-12 or draft-07) whose root has type "object". */
export type JsonSchema = JsonObject;

export type MaybePromise<T> = T | Promise<T>;
export type Falsy = false | null | undefined;

interface ContentCommon {
  readonly annotations?: JsonObject;
  readonly _meta?: JsonObject;
}
export interface TextContent extends ContentCommon {
  readonly type: 'text';
  readonly text: string;
}
export interface ImageContent extends ContentCommon {
  readonly type: 'image';
  /** base64 */
  readonly data: string;
  readonly mimeType: string;
}
export interface AudioContent extends ContentCommon {
  readonly type: 'audio';
  /** base64 */
  readonly data: string;
  readonly mimeType: string;
}
export interface EmbeddedResource extends ContentCommon {
  readonly type: 'resource';
  readonly resource: JsonObject & { readonly uri: string };
}
export interface ResourceLink extends ContentCommon {
  readonly type: 'resource_link';
  readonly uri: string;
  readonly name: string;
  readonly [key: string]: unknown;
}
export type Content = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;

/** The stages of a dispatch, in order. A failure names its stage. */
export type Stage = 'resolve' | 'validate' | 'prepare' | 'authorize' | 'confirm' | 'execute' | 'finish';

export interface ToolFailure {
  /** One of `errorCodes` in core/errors.ts. */
  readonly code: string;
  readonly stage: Stage;
  /** Written for the model: what went wrong and what to do next. */
  readonly message: string;
  /** Data for recovery: the schema, similar names, the exit code, an upstream's error. */
  readonly data?: unknown;
}

export interface ToolResult extends Attributed {
  readonly content: readonly Content[];
  /** The same as data, for programs: as the tool's `outputSchema` describes it. */
  readonly structured?: unknown;
  /** Present when the call failed. */
  readonly error?: ToolFailure;
  /** MCP's `_meta`, passed through without Pegboard's own keys. */
  readonly meta?: JsonObject;
  /** Further members of a server's result, passed to MCP clients: `isError: false`, members that MCP doesn't define. */
  readonly members?: JsonObject;
  /** The order of the members in a server's result, when it isn't the usual one. */
  readonly order?: readonly string[];
}

/** A result with structured content of a known type. */
export interface StructuredResult<Structured = unknown> extends ToolResult {
  readonly structured: Structured;
}

/** The result of a call that failed. It may have structured content too. */
export interface FailedResult extends ToolResult {
  readonly error: ToolFailure;
}

/** What `execute` may return; tools/result.ts turns it into a ToolResult. A plain object becomes `structured`. */
export type ToolOutput = string | ToolResult | JsonObject | void;
