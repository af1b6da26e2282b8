import type { Ask } from './ask.ts';
import type { TurnContext } from './conversation.ts';
import type { McpClient, Peer } from './mcp/peer.ts';
import type { JsonObject, ToolResult } from './result.ts';
import type { Scope } from './source.ts';
import type { Progress, ToolCall } from './tool.ts';

/** `manifest`: the tool's own `confirm` and what hooks say. `never` and `always` are explicit decisions of the owner. */
export type ConfirmPolicy = 'manifest' | 'never' | 'always';

/**
 * What asks in a turn that has read what others wrote. `strict`: every tool that isn't declared read-only. `guarded`: only
 * tools that are guarded, ask anyway or are marked destructive.
 */
export type ProvenanceRule = 'strict' | 'guarded';

export interface CallRequest {
  /** Any form that `Snapshot.find` understands. */
  readonly name: string;
  /** Those of the tool; or the PegboardError with which they could not be read, and the call fails. */
  readonly args: unknown;
  readonly scope: Scope;
  /** Who calls, for the log and for tools: "cli", "mcp:cursor". */
  readonly caller: string;
  readonly signal?: AbortSignal;
  /** Absent means that nobody is there: a confirmation is declined. */
  readonly ask?: Ask;
  /** The MCP client that calls, if one does. */
  readonly peer?: Peer;
  /** Overrides the configured policy for this call; absent: the parent's does, if it has one. */
  readonly confirm?: ConfirmPolicy;
  readonly onProgress?: (progress: Progress) => void;
  readonly parent?: ToolCall;
  /** Awaited before anything runs that may have an effect; absent: the parent's. */
  readonly beforeEffect?: () => Promise<void>;
  /** The turn of a conversation that the call belongs to; absent: the parent's. */
  readonly turn?: TurnContext;
  /** Outside of turns: what "in this conversation" means, such as the session of an MCP client; absent: the parent's. */
  readonly conversation?: string;
  /** The MCP client that it comes from, however indirectly; absent: the parent's. */
  readonly client?: McpClient;
  readonly meta?: JsonObject;
  /** The caller takes texts of any length, as programs do: cut only where the home says so. */
  readonly takesLongTexts?: boolean;
}

/** Never rejects: every failure is a ToolResult whose error names the stage. */
export type Dispatch = (request: CallRequest) => Promise<ToolResult>;
