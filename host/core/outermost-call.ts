import type { ToolCall } from '../api/tool.ts';

/** The first call of those that `call` is within, through the turns of agents that it runs for; or itself. */
export function outermostCall<C extends Pick<ToolCall, 'parent' | 'turn'>>(call: C): C | ToolCall {
  const outer = call.parent ?? call.turn?.message.parent;
  return outer ? outermostCall(outer) : call;
}
