import type { CallRequest } from '../api/dispatch.ts';
import type { ToolCall } from '../api/tool.ts';
import { nobody } from './call.ts';

/** A call that another one makes: for the same caller, who is asked, hears the progress and can cancel it. */
export function toInnerRequest(call: ToolCall, name: string, args: unknown): CallRequest {
  const { scope, caller, signal, ask, peer, meta } = call;
  return {
    name,
    args,
    scope,
    caller,
    signal,
    parent: call,
    onProgress: (progress) => call.progress(progress),
    ...(ask !== nobody && { ask }),
    ...(peer && { peer }),
    ...(meta && { meta }),
  };
}
