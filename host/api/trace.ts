import type { Agent } from './agent.ts';
import type { Reply, TurnContext } from './conversation.ts';
import type { CallRequest } from './dispatch.ts';
import type { ModelReply, ModelRequest, ModelUsage } from './model.ts';
import type { ToolResult } from './result.ts';
import type { RegisteredTool, ToolCall } from './tool.ts';

/**
 * What is published while a call runs, to whoever listens on `tracingChannel('pegboard:call')`: one object, filled in as
 * the call goes. It holds arguments and results as they are: a listener that passes them on has to know what it does.
 */
export interface CallTrace {
  /** As in `ToolCall.id`. */
  readonly id: string;
  readonly request: CallRequest;
  /** Undefined until it is found. */
  readonly tool?: RegisteredTool | undefined;
  /** Undefined until there is one, and where it did not come that far. */
  readonly decision?: CallDecision | undefined;
  /** What models used for it, in the turns that it began. */
  readonly usage?: ModelUsage | undefined;
  /** From its end on, failed ones too: a dispatch never rejects. */
  readonly result?: ToolResult;
  /** Milliseconds, from its end on. */
  readonly ms?: number;
}

/** Whether a call was let run, and whose verdict that was. */
export interface CallDecision {
  readonly verdict: 'allowed' | 'refused';
  /**
   * Allowed by "rule" (nothing asks for a question), "configuration" (nobody is to be asked), "approval" (an "always"
   * that still holds), "conversation" (an answer for the rest of it) or "person". Refused by "person", "nobody" (nobody there, or no answer), "access" (not a tool of
   * this caller), "tool" (its arguments lead where it does not go) or a hook: "hook of agent example".
   */
  readonly by: string;
}

/** On `tracingChannel('pegboard:turn')`: an agent answers a message. */
export interface TurnTrace {
  readonly turn: TurnContext;
  readonly agent: Agent;
  /** The model's id as configured: "openai/gpt-5". */
  readonly model: string;
  /** The call that handed the message on, where an agent's did. */
  readonly parent: ToolCall | undefined;
  /** Of one of the two: when it has ended. */
  readonly result?: Reply;
  readonly error?: unknown;
}

/** On `tracingChannel('pegboard:model')`: a model is asked, with its retries and fallbacks. */
export interface ModelTrace {
  /** As configured: "openai/gpt-5"; the one that answered stands in the reply. */
  readonly model: string;
  readonly request: ModelRequest;
  /** Absent: a plugin asks on its own. */
  readonly turn?: TurnContext;
  readonly result?: ModelReply;
  readonly error?: unknown;
}
