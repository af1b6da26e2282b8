import type { Model, ModelMessage, ModelReply, WireTool } from '../api/model.ts';
import { isTimeout } from '../core/async/deadline.ts';
import { PegboardError } from '../core/errors.ts';
import { createRepetitionGuard } from './repetition.ts';
import { createFittingResponder } from './respond-fitting.ts';
import type { RunCalls } from './run-calls.ts';
import type { ReplyText } from './reply-text.ts';

export interface LoopRequest {
  /** The only way to the model: it puts the money aside first. Throws PEG_LIMIT when there is none left. */
  readonly respond: Model['respond'];
  readonly contextWindow: number;
  /** System prompt, history, the user's message. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly WireTool[];
  /** Any tool that may be called, by any form of its name. */
  readonly find: (name: string) => WireTool | undefined;
  readonly runCalls: RunCalls;
  readonly replyText: ReplyText;
  /** Model calls. */
  readonly maxRounds: number;
  /** Seconds, for the message when they are over. */
  readonly deadlineSeconds: number;
  /** No model is asked any more; calls have a signal of their own. */
  readonly signal: AbortSignal;
}

/**
 * Asks the model and runs what it calls, until it is done or a limit is reached; then it gets no further call, and
 * what it called last is not run. Returns why it ended early, in plain words, which the user is told except when it
 * was cancelled. Throws what the model threw.
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
      // What goes back to the model has the name that it was shown.
      const toolCalls = reply.toolCalls.map((call) => ({
        ...call,
        name: find(call.name)?.name ?? call.name,
      }));
      if (toolCalls.length === 0) return incompleteReason(reply, replyText);
      const repeated = toolCalls.find((call) => repetition.isRepeated(call));
      if (repeated)
        return `The agent was stopped: it repeated the same calls (${repeated.name}) over and over.`;
      if (round === maxRounds)
        return `The agent was stopped after ${maxRounds} steps, its limit for one message.`;
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
  return replyText.text === '' ? 'The model ended without an answer.' : undefined;
}

function stopReason(cause: unknown, { signal, deadlineSeconds }: LoopRequest): string {
  if (signal.aborted) {
    return isTimeout(signal.reason)
      ? `The agent was stopped after ${deadlineSeconds} seconds, its limit for one message.`
      : cancelled;
  }
  if (cause instanceof PegboardError && cause.code === 'PEG_LIMIT') return cause.message;
  throw cause;
}

/** Whoever cancelled it knows. */
export const cancelled = 'cancelled';
