import { channel } from 'node:diagnostics_channel';
import type { CallRequest, Dispatch } from '../api/dispatch.ts';
import type { ToolResult } from '../api/result.ts';

/** What is published on the channel `pegboard:call` when a call has ended. */
export interface CallTrace {
  readonly request: CallRequest;
  readonly result: ToolResult;
  readonly ms: number;
}

const calls = channel('pegboard:call');

/** Costs nothing while nobody listens. */
export async function traceCall(request: CallRequest, run: Dispatch): Promise<ToolResult> {
  if (!calls.hasSubscribers) return run(request);
  const started = performance.now();
  const result = await run(request);
  calls.publish({ request, result, ms: performance.now() - started } satisfies CallTrace);
  return result;
}
