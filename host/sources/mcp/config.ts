import { createHash } from 'node:crypto';
import type { JsonObject } from '../../api/result.ts';
import type { WrittenSandbox } from '../../core/sandbox/rule.ts';
import { canonicalJson } from '../../tools/fingerprint.ts';

/** What a server may ask of its caller beside questions to a person. */
export type ClientCapability = 'sampling' | 'roots';

/** One entry of `mcpServers`. Strings may hold `${NAME}` and `${NAME:-default}`; they are resolved when it connects. */
export interface McpServerConfig {
  /** Absent: `stdio` with `command`, `http` (falling back to `sse`) with `url`. */
  readonly type?: 'stdio' | 'http' | 'sse';
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Relative to the home. */
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Glob patterns over tool names; absent means all. */
  readonly allow?: readonly string[];
  readonly block?: readonly string[];
  /** Ask before every call: of all its tools, or of those that a pattern matches. */
  readonly confirm?: boolean | readonly string[];
  /** Seconds that one call may take; 60. */
  readonly timeout?: number;
  /** Seconds from start to the first list; 30. */
  readonly connectTimeout?: number;
  /** Accept changed tools without approval. */
  readonly trust?: boolean;
  /** Of its program, and of what that starts. */
  readonly sandbox?: WrittenSandbox;
  /** `session`: a connection, and so a process, for each session of a client or conversation of an agent. Default: shared. */
  readonly scope?: 'shared' | 'session';
  /** Connections at once where each client has its own; 20. */
  readonly maxSessions?: number;
  /** Seconds without a call after which such a connection ends; 900. */
  readonly idleTimeout?: number;
  /** What it may ask of the client or agent that calls, beside questions to a person; nothing when absent. */
  readonly clientCapabilities?: readonly ClientCapability[];
  readonly enabled?: boolean;
  readonly oauth?: McpOAuthConfig;
}

export interface McpOAuthConfig {
  /** A person logs in, or this machine does with `clientId` and `clientSecret` or `privateKey`. */
  readonly grant?: 'authorization_code' | 'client_credentials';
  /** Absent: a page of the client's, or Pegboard registers itself with the authorization server. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** PEM, PKCS #8; signs what the client says of itself instead of a secret. */
  readonly privateKey?: string;
  /** Of `privateKey`: ES256. */
  readonly algorithm?: string;
  /** Of the only authorization server that may get these credentials. Absent: whichever the MCP server names. */
  readonly issuer?: string;
  /** A page that describes this client, for authorization servers that take its address as the client's id. */
  readonly clientMetadataUrl?: string;
  readonly scopes?: readonly string[];
  /** Of the loopback listener that the browser is sent back to; absent: any free one. */
  readonly redirectPort?: number;
}

export type McpTransport = 'stdio' | 'http' | 'sse';

/** Seconds. */
export const defaultTimeoutSeconds = 60;
/** Of a tool that its server offers as a task alone. */
export const taskTimeoutSeconds = 3_600;
export const defaultConnectTimeoutSeconds = 30;
export const defaultIdleTimeoutSeconds = 900;
export const defaultMaxSessions = 20;

export function transportOf(config: McpServerConfig): McpTransport {
  return config.type ?? (config.url === undefined ? 'stdio' : 'http');
}

/** Changes when the entry may mean another server: what was learned from the old one is then forgotten. */
export function identityOf(config: McpServerConfig): string {
  const { command, args, env, cwd, url, headers } = config;
  const identity: JsonObject = { type: transportOf(config), command, args, env, cwd, url, headers };
  return createHash('sha256').update(canonicalJson(identity)).digest('hex');
}
