import type { CallRequest } from '../api/dispatch.ts';
import type { ToolCall } from '../api/tool.ts';

/** A call made by another call: same caller, questions, progress and cancellation. */
export function toInnerRequest(call: ToolCall, name: string, args: unknown): CallRequest {
  const { scope, caller, signal, ask, isAttended, peer, meta } = call;
  return {
    name,
    args,
    scope,
    caller,
    signal,
    parent: call,
    onProgress: (progress) => call.progress(progress),
    ...(isAttended && { ask }),
    ...(peer && { peer }),
    ...(meta && { meta }),
  };
}
