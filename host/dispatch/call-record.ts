import { hash } from 'node:crypto';
import type { CallRequest } from '../api/dispatch.ts';
import type { ModelUsage } from '../api/model.ts';
import type { ToolResult } from '../api/result.ts';
import type { RegisteredTool } from '../api/tool.ts';
import type { AuditLine } from '../store/audit.ts';
import { canonicalJson } from '../tools/fingerprint.ts';
import { textOf } from '../tools/result.ts';
import type { Consent } from './confirm.ts';

/** How far a call came, filled in as it goes: what is traced of it, and what the audit is written from. */
export interface Trail {
  readonly id: string;
  readonly request: CallRequest;
  tool?: RegisteredTool;
  /** As validated, and as they may be shown: even the digest of a secret could be guessed from. */
  args?: unknown;
  consent?: Consent;
  usage?: ModelUsage;
  ms?: number;
}

/** The line that the audit keeps of a call: what was done and who allowed it, never a value. */
export function toAuditLine(trail: Trail, result: ToolResult, ms: number): AuditLine {
  const { request, tool, args, consent } = trail;
  const { scope, caller, turn, name } = request;
  return {
    at: new Date().toISOString(),
    caller,
    agent: scope.agent,
    turn: turn && `${turn.conversation.source}/${turn.conversation.id}`,
    tool: tool?.id ?? name.slice(0, 100),
    args: args === undefined ? undefined : digestOf(canonicalJson(args)),
    consent,
    outcome: result.error?.code ?? 'ok',
    ms: Math.round(ms * 10) / 10,
    characters: textOf(result).length,
  };
}

const ofNothing = hash('sha256', '{}').slice(0, 16);

const digestOf = (json: string): string => (json === '{}' ? ofNothing : hash('sha256', json).slice(0, 16));
