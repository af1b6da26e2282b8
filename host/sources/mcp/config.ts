import { createHash } from 'node:crypto';
import type { JsonObject } from '../../api/result.ts';
import type { WrittenServer } from '../../formats/mcp.ts';
import { canonicalJson } from '../../tools/fingerprint.ts';

/** One entry of `mcpServers`. Strings may hold `${NAME}` and `${NAME:-default}`; they are resolved when it connects. */
export interface McpServerConfig extends Omit<WrittenServer, 'type' | 'disabled' | 'alwaysAllow'> {
  /** Absent: `stdio` with `command`, `http` (falling back to `sse`) with `url`. */
  readonly type?: McpTransport;
}

export type McpOAuthConfig = NonNullable<WrittenServer['oauth']>;

export type McpTransport = 'stdio' | 'http' | 'sse';

/** Seconds. */
export const defaultTimeoutSeconds = 60;
/** Applies to tools that their server offers only as a task. */
export const taskTimeoutSeconds = 3_600;
export const defaultConnectTimeoutSeconds = 30;
export const defaultIdleTimeoutSeconds = 900;
export const defaultMaxSessions = 20;

export function transportOf(config: McpServerConfig): McpTransport {
  return config.type ?? (config.url === undefined ? 'stdio' : 'http');
}

/** Changes when the entry may mean another server: everything cached of the old one is then discarded. */
export function identityOf(config: McpServerConfig): string {
  const { command, args, env, cwd, url, headers } = config;
  const identity: JsonObject = { type: transportOf(config), command, args, env, cwd, url, headers };
  return createHash('sha256').update(canonicalJson(identity)).digest('hex');
}

/** Without the words that only Claude Code, Cursor and VS Code have. */
export function fromOtherClients(written: WrittenServer): McpServerConfig {
  const { type, disabled, alwaysAllow: _, ...rest } = written;
  return {
    ...rest,
    ...(type && { type: type === 'streamable-http' ? 'http' : type }),
    ...(disabled === true && { enabled: false }),
  };
}
