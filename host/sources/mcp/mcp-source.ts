import type { Upstream } from '../../api/mcp/upstream.ts';
import type { JsonObject, ToolResult } from '../../api/result.ts';
import type { ToolSource } from '../../api/source.ts';
import type { ToolCall } from '../../api/tool.ts';
import type { PendingTool } from './approval/pins.ts';
import type { McpServerConfig, McpTransport } from './config.ts';
import type { SupervisorState } from './connection/supervisor.ts';

/** The tools, resources and prompts of one MCP server, whether it runs at the moment or not. */
export interface McpSource extends ToolSource, Upstream {
  readonly config: McpServerConfig;
  /** The server's instructions; undefined until they are approved. */
  readonly instructions: string | undefined;
  /** Connects now. Throws a PegboardError with the reason when it can't; its message contains the user's next step. */
  connect(): Promise<void>;
  status(): McpStatus;
  /** Runs a tool, also one that the configuration blocks; one that changed after approval is refused. */
  readonly callTool: CallTool;
  /**
   * Logs in with OAuth and connects. `openUrl` opens the login page in the user's browser. Throws
   * PEG_SERVER_UNAUTHORIZED, PEG_USAGE for a server that needs no login, and the signal's reason.
   */
  login(openUrl: OpenUrl, options?: LoginOptions): Promise<LoginOutcome>;
  /** New or changed since the server was first seen: neither listed nor callable. */
  readonly pendingTools: readonly PendingTool[];
  /** Approves what was pending, in the version that was shown; anything that has changed since stays pending. */
  approve(pendingTools: readonly PendingTool[]): Promise<void>;
  /** Withholds everything that the server offers until it is approved again. False when nothing was approved. */
  revoke(): Promise<boolean>;
  /** Reads the approvals again, since another process may have approved something. */
  recheckApprovals(): void;
  /** Another process may have logged in: connects if only the login was missing. */
  retryAfterLogin(): void;
}

export interface McpStatus {
  readonly name: string;
  readonly state: SupervisorState;
  /** When the current state began: ISO 8601. */
  readonly since: string;
  readonly transport: McpTransport;
  /** The protocol of the last connection: `legacy` up to 2025-11-25, `modern` from 2026-07-28. */
  readonly era?: 'legacy' | 'modern';
  /** Number of tools that it offers now. */
  readonly tools: number;
  /** New or changed since the server was first seen: neither listed nor callable. */
  readonly pending: readonly string[];
  readonly error?: string;
  /** What is left out of its list or unreadable, and how the server misbehaves. Absent when there are no problems. */
  readonly warnings?: readonly string[];
  readonly restarts: number;
  readonly pid?: number;
  /** MCP's Implementation: name, version, title. */
  readonly serverInfo?: JsonObject;
}

/** What a call needs from its caller. */
export type McpCall = Pick<ToolCall, 'signal' | 'ask' | 'caller' | 'meta' | 'peer' | 'turn' | 'client'> & {
  readonly progress: ToolCall['progress'];
};

export type CallTool = (tool: string, args: unknown, call: McpCall) => Promise<ToolResult>;

/**
 * Asks the user for the address at which the browser ended, in case it can't reach this machine. `problem` describes
 * what was wrong with the last one. Undefined: none was given. The signal aborts when the browser returns to Pegboard
 * directly.
 */
export type ReadAddress = (problem: string | undefined, signal: AbortSignal) => Promise<string | undefined>;

export interface LoginOutcome {
  /** Permissions that were requested and not granted. */
  readonly missing: readonly string[];
}

export type OpenUrl = (url: string) => void | Promise<void>;

export interface LoginOptions {
  readonly signal?: AbortSignal | undefined;
  /** In addition to waiting for the browser. */
  readonly readAddress?: ReadAddress | undefined;
}
