import { hash } from 'node:crypto';
import type { CallRequest } from '../api/dispatch.ts';
import type { ModelUsage } from '../api/model.ts';
import type { Origin } from '../api/provenance.ts';
import type { ToolFailure, ToolResult } from '../api/result.ts';
import type { RegisteredTool } from '../api/tool.ts';
import type { CallDecision } from '../api/trace.ts';
import type { Redactor } from '../core/secrets/redact.ts';
import type { AuditLine } from '../store/audit.ts';
import { canonicalJson } from '../tools/fingerprint.ts';
import { textOf } from '../tools/result.ts';

/** A call in progress, filled in stage by stage: the message of its trace, and the source of its audit line. */
export interface CallRecord {
  readonly id: string;
  readonly request: CallRequest;
  tool?: RegisteredTool;
  /** Validated, without secrets: even a digest of a secret could be brute-forced. */
  args?: unknown;
  decision?: CallDecision | undefined;
  usage?: ModelUsage;
  /** Milliseconds for which it has waited for a person, its inner calls included. */
  waitedMs?: number;
  /** Origins of the untrusted content that it has read so far. */
  read: readonly Origin[];
  ms?: number;
}

/** The audit line of a call: what was done and who allowed it, never a value, and no secret. */
export function toAuditLine(
  record: CallRecord,
  result: ToolResult,
  ms: number,
  redactor: Pick<Redactor, 'text' | 'value'>,
): AuditLine {
  const { id, request, tool, args, decision, usage } = record;
  const { scope, caller, parent, turn = parent?.turn, name } = request;
  return redactor.value({
    at: new Date().toISOString(),
    id,
    within: (parent ?? turn?.message.parent)?.id,
    caller,
    agent: scope.agent,
    turn: turn && `${turn.conversation.source}/${turn.conversation.id}`,
    // A secret that is cut off isn't found any more.
    tool: tool?.id ?? redactor.text(name).slice(0, 100),
    args: args === undefined ? undefined : digestOf(args),
    verdict: decision?.verdict,
    by: decision?.by,
    outcome: result.error?.code ?? 'ok',
    ms: Math.round(ms * 10) / 10,
    waitedMs: record.waitedMs === undefined ? undefined : Math.round(record.waitedMs),
    tokens: Math.floor(textOf(result).length / 4),
    used: usage && {
      input: usage.input,
      output: usage.output,
      ...(usage.cost !== undefined && { cost: usage.cost }),
    },
  });
}

/** Who refused a call that failed before a question. Undefined when it could not run at all. */
export function refusalBehind({ code, stage, data }: ToolFailure): CallDecision | undefined {
  if (stage === 'resolve' && code === 'PEG_TOOL_UNAVAILABLE') return { verdict: 'refused', by: 'access' };
  if (stage === 'validate' && code === 'PEG_DENIED') return { verdict: 'refused', by: 'access' };
  if (stage === 'prepare' && code === 'PEG_DENIED') return { verdict: 'refused', by: 'tool' };
  if (code === 'PEG_HOOK_FAILED' && stage !== 'finish')
    return { verdict: 'refused', by: `hook of ${(data as { readonly hook: string }).hook}` };
  return undefined;
}

const ofNothing = hash('sha256', '{}').slice(0, 16);

/** Of arguments without secrets, as in the audit. */
export function digestOf(args: unknown): string {
  const json = canonicalJson(args);
  return json === '{}' ? ofNothing : hash('sha256', json).slice(0, 16);
}
