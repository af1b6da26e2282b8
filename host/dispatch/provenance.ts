import type { CallRequest } from '../api/dispatch.ts';
import type { Origin } from '../api/provenance.ts';
import type { ToolResult } from '../api/result.ts';
import type { RegisteredTool, ToolCall } from '../api/tool.ts';
import { markUntrusted, untrustedOrigin } from '../core/untrusted.ts';

/**
 * Has the turn remember that it reads what others wrote, and marks the result, for whoever reads it later. Errors count:
 * their text is read as well.
 */
export function noteOrigin(
  { turn, parent }: CallRequest,
  tool: RegisteredTool | undefined,
  result: ToolResult,
): ToolResult {
  const reader = turn ?? parent?.turn;
  if (!reader) return result;
  const marked = untrustedOrigin(result);
  const ran = !result.error || result.error.stage === 'execute' || result.error.stage === 'finish';
  const origin = marked ?? (ran ? tool?.untrusted : undefined);
  if (!origin) return result;
  reader.untrusted.note(origin);
  return marked ? result : markUntrusted(result, origin);
}

/**
 * Why a call is asked about because of what its turn has read; undefined: nothing, or the call does nothing that lasts.
 */
export function untrustedReason({ tool, args, turn }: ToolCall): string | undefined {
  const origins = turn?.untrusted.origins ?? [];
  if (origins.length === 0) return undefined;
  const guarded = typeof tool.guarded === 'function' ? tool.guarded(args) : tool.guarded === true;
  const lasts = guarded || tool.confirm === true || tool.annotations?.destructiveHint === true;
  return lasts ? `This conversation has read what others wrote (${listed(origins)}).` : undefined;
}

const mostNamed = 3;

function listed(origins: readonly Origin[]): string {
  const named = origins.slice(-mostNamed).map(({ kind, what }) => `${words[kind]} ${what}`);
  const more = origins.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

const words = {
  web: 'web page',
  mcp: 'MCP server',
  person: 'message of',
  file: 'file',
  network: 'output of',
} as const satisfies Record<Origin['kind'], string>;
