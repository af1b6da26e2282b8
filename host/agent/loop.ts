import type { Model, ModelMessage, ModelReply, WireTool } from '../api/model.ts';
import { isTimeout } from '../core/async/deadline.ts';
import { PegboardError } from '../core/errors.ts';
import { createRepetitionGuard } from './repetition.ts';
import { createFittingResponder } from './respond-fitting.ts';
import type { RunCalls } from './run-calls.ts';
import type { ReplyText } from './reply-text.ts';

export interface LoopRequest {
  /** Every request goes through this, which reserves its cost first. Throws PEG_LIMIT when a cap is reached. */
  readonly respond: Model['respond'];
  readonly contextWindow: number;
  /** System prompt, history, the user's message. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly WireTool[];
  /** Finds any callable tool, by any form of its name. */
  readonly find: (name: string) => WireTool | undefined;
  readonly runCalls: RunCalls;
  readonly replyText: ReplyText;
  /** Maximum number of model requests. */
  readonly maxRounds: number;
  /** For the message when the deadline has passed. */
  readonly deadlineSeconds: number;
  /** Stops further model requests; tool calls have a signal of their own. */
  readonly signal: AbortSignal;
}

/**
 * Asks the model and runs its calls until it is done or reaches a limit; then its last calls are not run. Returns why it
 * ended early, in words for the user, which are added to the reply unless the turn was cancelled. Throws the model's
 * errors.
 */
export async function runLoop(request: LoopRequest): Promise<string | undefined> {
  const stopped = await runRounds(request);
  if (stopped !== undefined && stopped !== cancelled) request.replyText.add(stopped);
  return stopped;
}

async function runRounds(request: LoopRequest): Promise<string | undefined> {
  const { messages, find, runCalls, replyText, maxRounds, signal } = request;
  const respond = createFittingResponder(request);
  const repetition = createRepetitionGuard();
  const all = [...messages];
  let fresh = all.length;
  try {
    for (let round = 1; ; round++) {
      signal.throwIfAborted();
      const reply = await respond(all, fresh, (event) => replyText.handle(event));
      replyText.endRound(reply.text);
      const { text } = reply;
      // The model gets back the name that it was shown.
      const toolCalls = reply.toolCalls.map((call) => ({
        ...call,
        name: find(call.name)?.name ?? call.name,
      }));
      if (toolCalls.length === 0) return incompleteReason(reply, replyText);
      const repeated = toolCalls.find((call) => repetition.isRepeated(call));
      if (repeated)
        return `The agent was stopped: it repeated the same calls (${repeated.name}) over and over.`;
      if (round === maxRounds)
        return `The agent was stopped after ${maxRounds} rounds, its limit for one message (runtime.max_rounds).`;
      all.push({ role: 'assistant', text, toolCalls });
      fresh = all.length;
      all.push(...(await runCalls(toolCalls)));
    }
  } catch (cause) {
    return stopReason(cause, request);
  }
}

function incompleteReason({ finish }: ModelReply, replyText: ReplyText): string | undefined {
  if (finish === 'length') return "The answer was cut off: it reached the model's limit.";
  if (finish === 'filtered') return "The answer was cut off by the provider's content filter.";
  return replyText.text === '' ? 'The model stopped without an answer.' : undefined;
}

function stopReason(cause: unknown, { signal, deadlineSeconds }: LoopRequest): string {
  if (signal.aborted) {
    return isTimeout(signal.reason)
      ? `The agent was stopped after ${deadlineSeconds} seconds, its limit for one message (runtime.deadline).`
      : cancelled;
  }
  if (cause instanceof PegboardError && cause.code === 'PEG_LIMIT') return cause.message;
  throw cause;
}

/** Not shown to the user, who caused it. */
export const cancelled = 'cancelled';
