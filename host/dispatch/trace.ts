import { channel } from 'node:diagnostics_channel';
import type { CallRequest } from '../api/dispatch.ts';
import type { ToolResult } from '../api/result.ts';

/** What is published on the channel `pegboard:call` when a call has ended. */
export interface CallTrace {
  readonly request: CallRequest;
  readonly result: ToolResult;
  readonly ms: number;
}

const calls = channel('pegboard:call');

/** Costs nothing while nobody listens. */
export function publishCall(trace: CallTrace): void {
  if (calls.hasSubscribers) calls.publish(trace);
}
