import type { Agent } from './agent.ts';
import type { Reply, TurnContext } from './conversation.ts';
import type { CallRequest } from './dispatch.ts';
import type { ModelReply, ModelRequest, ModelUsage } from './model.ts';
import type { ToolResult } from './result.ts';
import type { RegisteredTool, ToolCall } from './tool.ts';

/**
 * Published on `tracingChannel('pegboard:call')`: one object per call, filled in as the call proceeds. It holds arguments
 * and results unredacted, so a listener must be careful about passing them on.
 */
export interface CallTrace {
  /** As in `ToolCall.id`. */
  readonly id: string;
  readonly request: CallRequest;
  /** Undefined until the tool is found. */
  readonly tool?: RegisteredTool | undefined;
  /** Undefined until the call is decided, and when it fails before that. */
  readonly decision?: CallDecision | undefined;
  /** Model usage of turns that the call started. */
  readonly usage?: ModelUsage | undefined;
  /** Set when the call ends, also when it failed: a dispatch never rejects. */
  readonly result?: ToolResult;
  /** Duration in milliseconds, without `waitedMs`. Set when the call ends. */
  readonly ms?: number;
  /** Milliseconds for which it has waited for a person; absent if nobody was asked. */
  readonly waitedMs?: number;
}

/** Whether a call was allowed to run, and who decided. */
export interface CallDecision {
  readonly verdict: 'allowed' | 'refused';
  /**
   * Allowed by "rule" (no confirmation needed), "permission" (a rule of the owner allows it), "configuration"
   * (confirmations are off), "approval" (a valid "always"), "conversation" (an earlier answer for the rest of the
   * conversation) or "person". Refused by "person", "nobody" (nobody could or did answer), "permission" (a rule of the
   * owner), "access" (the caller may not use the tool), "tool" (it refused its arguments) or a hook: "hook of agent
   * example".
   */
  readonly by: string;
}

/** Published on `tracingChannel('pegboard:turn')` when an agent answers a message. */
export interface TurnTrace {
  readonly turn: TurnContext;
  readonly agent: Agent;
  /** The model's id as configured: "openai/gpt-5". */
  readonly model: string;
  /** The call of another agent that sent the message, if any. */
  readonly parent: ToolCall | undefined;
  /** When the turn has ended, either `result` or `error` is set. */
  readonly result?: Reply;
  readonly error?: unknown;
}

/** Published on `tracingChannel('pegboard:model')` for a model request with its retries and fallbacks. */
export interface ModelTrace {
  /** As configured: "openai/gpt-5". The reply names the model that answered. */
  readonly model: string;
  readonly request: ModelRequest;
  /** Absent: a plugin calls the model outside of turns. */
  readonly turn?: TurnContext;
  readonly result?: ModelReply;
  readonly error?: unknown;
}
