import type { Stage } from '../api/result.ts';
import { PegboardError } from '../core/errors.ts';
import type { PreparedCall } from './call.ts';
import { digestOf, type CallRecord } from './call-record.ts';
import { confirm } from './confirm.ts';
import type { HookTable } from './hook-table.ts';
import { deniedBy, judgeCall, judgedCall } from './permissions/judge.ts';
import { offeredRules } from './permissions/offer-rules.ts';
import { permissionsFor } from './permissions/permissions-for.ts';
import type { Pipeline } from './pipeline.ts';

export interface AuthorizeOptions {
  readonly pipeline: Pipeline;
  readonly hooks: HookTable;
  /** The arguments without secrets. */
  readonly shown: unknown;
  /** Called when a stage begins. */
  readonly enter: (stage: Stage) => void;
}

/** The stages authorize and confirm. Throws PEG_DENIED, PEG_DECLINED or PEG_NOBODY_TO_ASK. */
export async function authorizeCall(
  record: CallRecord,
  call: PreparedCall,
  { pipeline, hooks, shown, enter }: AuthorizeOptions,
): Promise<void> {
  const { registry, permissions, approvals, allowances, addresses, elsewhere, redactor, log, clock } =
    pipeline;
  const { tool, args, prepared, scope } = call;
  enter('authorize');
  const find = (name: string) => registry.snapshot.find(name);
  const judged = judgedCall(tool, args, prepared);
  const permission = await judgeCall(judged, permissionsFor(call.scope, permissions?.current()), find);
  if (permission?.decision === 'deny') {
    record.decision = { verdict: 'refused', by: 'permission' };
    throw deniedBy(permission, tool);
  }
  const verdict = await hooks.preTool(call);
  if (verdict && 'deny' in verdict) {
    record.decision = { verdict: 'refused', by: `hook of ${verdict.by}` };
    throw new PegboardError('PEG_DENIED', verdict.deny);
  }

  enter('confirm');
  const { agent } = scope;
  const { refusal, ...decision } = await confirm(call, {
    verdict,
    permission,
    policy: pipeline.confirmPolicy(),
    rule: pipeline.provenanceRule?.() ?? 'strict',
    unknownAddresses: call.turn?.untrusted.origins.length ? await addresses.unknownIn(call) : [],
    ask: call.askHere,
    approvals,
    allowances,
    shown,
    offered: offeredRules(judged, { agent, args: () => digestOf(shown), find, store: permissions }),
    elsewhere,
    redact: (text) => redactor.text(text),
    declined: record.request.declined,
    log,
    clock,
  });
  record.decision = decision;
  if (refusal) throw refusal;
}
