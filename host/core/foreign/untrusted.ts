import type { Origin } from '../../api/provenance.ts';
import type { ToolResult } from '../../api/result.ts';

/** Where a result's `meta` says who wrote it. */
const key = 'pegboard/untrusted';

/** The result, marked as written by others: a turn that reads it is asked before it does what lasts. */
export function markUntrusted(result: ToolResult, origin: Origin): ToolResult {
  return { ...result, meta: { ...result.meta, [key]: origin } };
}

export function untrustedOrigin({ meta }: ToolResult): Origin | undefined {
  return meta?.[key] as Origin | undefined;
}
