import type { FileOrigins } from '../api/file-origins.ts';
import type { Origin } from '../api/provenance.ts';
import type { ToolResult } from '../api/result.ts';
import type { ToolCall } from '../api/tool.ts';
import { distinct, markUntrusted } from '../core/foreign/untrusted.ts';
import type { Reason } from './allowances.ts';
import type { Trail } from './call-record.ts';

/**
 * Has the turn, and the call that this one is part of, remember that they read what others wrote, and marks the result,
 * for whoever reads it later. Errors count: their text is read as well. A tool that is given the name of a file with
 * others' words counts as reading it.
 */
export function noteOrigins(trail: Trail, result: ToolResult, files: FileOrigins | undefined): ToolResult {
  const { turn, parent } = trail.request;
  const origins = readBy(trail, result, files);
  const reader = turn ?? parent?.turn;
  for (const origin of origins) reader?.untrusted.note(origin);
  parent?.read?.(origins);
  return markUntrusted(result, ...origins);
}

function readBy(
  { tool, args, read }: Trail,
  { error }: ToolResult,
  files: FileOrigins | undefined,
): readonly Origin[] {
  const ran = !error || error.stage === 'execute' || error.stage === 'finish';
  const own = ran ? (tool?.untrusted ?? originIn(args, files)) : undefined;
  return distinct(own ? [own, ...read] : read);
}

/** Levels of arguments that are looked into. */
const deepest = 8;

function originIn(value: unknown, files: FileOrigins | undefined, depth = 0): Origin | undefined {
  if (!files || depth > deepest) return undefined;
  if (typeof value === 'string') return files.namedIn(value);
  if (typeof value !== 'object' || value === null) return undefined;
  for (const item of Object.values(value)) {
    const origin = originIn(item, files, depth + 1);
    if (origin) return origin;
  }
  return undefined;
}

/** Why a call is asked about because of what its turn has read; undefined: nothing, or the call does nothing that lasts. */
export function untrustedReason({ tool, args, turn }: ToolCall): Reason | undefined {
  const origins = turn?.untrusted.origins ?? [];
  if (origins.length === 0) return undefined;
  const guarded = typeof tool.guarded === 'function' ? tool.guarded(args) : tool.guarded === true;
  const lasts = guarded || tool.confirm === true || tool.annotations?.destructiveHint === true;
  if (!lasts) return undefined;
  const text = `This conversation has read what others wrote (${listed(origins)}).`;
  return { kind: 'untrusted', text, allowances: undefined };
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
