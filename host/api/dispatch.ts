import type { Ask } from './ask.ts';
import type { TurnContext } from './conversation.ts';
import type { McpClient, Peer } from './mcp/peer.ts';
import type { JsonObject, ToolResult } from './result.ts';
import type { Scope } from './source.ts';
import type { Progress, ToolCall } from './tool.ts';
import type { Workplace } from './known-folders.ts';

/** `manifest`: the tool's own `confirm` and the hooks decide. `never` and `always` are explicit decisions of the owner. */
export type ConfirmPolicy = 'manifest' | 'never' | 'always';

/**
 * Which tools need confirmation in a turn that has read untrusted content. `strict`: every tool that isn't declared
 * read-only. `guarded`: only tools that are guarded, confirmed anyway or marked destructive.
 */
export type ProvenanceRule = 'strict' | 'guarded';

export interface CallRequest {
  /** Any form that `Snapshot.find` accepts. */
  readonly name: string;
  /** The tool's arguments; or the PegboardError from parsing them, with which the call then fails. */
  readonly args: unknown;
  readonly scope: Scope;
  /** Identifies the caller to tools and in the log: "cli", "mcp:cursor". */
  readonly caller: string;
  /** Where the person works, as far as it is known. Default: that of the parent, or of the turn's message. */
  readonly workplace?: Workplace;
  readonly signal?: AbortSignal;
  /** Absent: nobody can answer, and confirmations are declined. */
  readonly ask?: Ask;
  /** The calling MCP client, if any. */
  readonly peer?: Peer;
  /** Overrides the configured policy for this call. Default: the parent's policy, if it has one. */
  readonly confirm?: ConfirmPolicy;
  readonly onProgress?: (progress: Progress) => void;
  readonly parent?: ToolCall;
  /** Awaited before anything runs that may have an effect. Default: the parent's. */
  readonly beforeEffect?: () => Promise<void>;
  /** Of a call in a turn that can go on in another process. Not inherited by inner calls. */
  readonly checkpoint?: Checkpoint;
  /** Confirmations that were declined before, and are not asked again. A declined one is added. */
  readonly declined?: Set<string>;
  /** The turn that the call belongs to. Default: the parent's. */
  readonly turn?: TurnContext;
  /** Outside of turns: the id of what counts as the conversation, such as an MCP session. Default: the parent's. */
  readonly conversation?: string;
  /** The MCP client that the call comes from, directly or indirectly. Default: the parent's. */
  readonly client?: McpClient;
  readonly meta?: JsonObject;
  /** The caller accepts texts of any length, as programs do. Only the home's own limit then truncates results. */
  readonly takesLongTexts?: boolean;
  /** Maximum characters of a text of the result, for callers that compute with it. Default: the home's limit. */
  readonly outputLimit?: number;
}

/** Where a call that waits for a person keeps what it needs to go on in another process. It holds one state at most. */
export interface Checkpoint {
  /** What an earlier process has saved for this call. */
  load(): Promise<Uint8Array | undefined>;
  /**
   * Replaces what is saved. From then on the end of the host ends the call at once. `version`: only where it is the same
   * can the call go on; otherwise it counts as cut off.
   */
  save(version: string, state: Uint8Array): Promise<void>;
  /** Must be awaited before the call has a further effect: from then on it can't go on from what was saved. */
  discard(): Promise<void>;
}

/** Runs one tool call. Never rejects: every failure is a ToolResult whose error names the stage. */
export type Dispatch = (request: CallRequest) => Promise<ToolResult>;
