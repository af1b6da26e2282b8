import type { CallRequest } from '../api/dispatch.ts';
import type { PermissionRule } from '../api/agent.ts';
import { isVisible } from '../tools/access.ts';
import { invisible, notFound } from '../tools/look-up.ts';
import { nextCallId } from './call.ts';
import { isStored } from './confirm.ts';
import { judgeCall, judgedCall } from './permissions/judge.ts';
import { permissionsFor } from './permissions/permissions-for.ts';
import type { DispatchOptions } from './pipeline.ts';
import { prepareCall } from './prepare-call.ts';
import { reasonsToAsk } from './reasons.ts';

/** What would be decided about a call now, outside of a conversation, before hooks judge it. */
export interface Rehearsal {
  readonly verdict: 'allow' | 'ask' | 'deny';
  /** Rules that allow, ask about or deny the call. A call that rules allow may still be asked about. */
  readonly rules: readonly PermissionRule[];
  /** With `ask`: why. */
  readonly reasons: readonly string[];
}

export type Rehearse = (request: CallRequest) => Promise<Rehearsal>;

const neverAborted = new AbortController().signal;

/** Judges calls without running anything. Throws as a call fails that can't be found, validated or prepared. */
export function createRehearse(options: DispatchOptions): Rehearse {
  const { registry, permissions } = options;
  const find = (name: string) => registry.snapshot.find(name);
  return async (request) => {
    const { name, scope } = request;
    using lease = registry.acquire(name);
    if (!lease) throw notFound(registry.snapshot, name, scope);
    const { tool } = lease;
    if (!isVisible(tool, scope)) throw invisible(registry.snapshot, name, tool, scope);
    const signal = request.signal ?? neverAborted;
    const record = { id: nextCallId(), request, read: [] };
    const { call } = await prepareCall(record, tool, { options, hooks: undefined, signal, enter: () => {} });
    const judged = judgedCall(tool, call.args, call.prepared);
    const permission = await judgeCall(judged, permissionsFor(call.scope, permissions?.current()), find);
    const rules = permission?.rules ?? [];
    if (permission?.decision === 'deny') return { verdict: 'deny', rules, reasons: [] };
    const given = {
      permission,
      policy: options.confirmPolicy(),
      rule: options.provenanceRule?.() ?? 'strict',
      verdict: undefined,
      unknownAddresses: [],
    } as const;
    const reasons = reasonsToAsk(call, given);
    if (reasons.length === 0 || isStored(call, reasons, given, options.approvals))
      return { verdict: 'allow', rules, reasons: [] };
    return { verdict: 'ask', rules, reasons: reasons.map(({ text }) => text) };
  };
}
