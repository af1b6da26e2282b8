import type { TurnEvent } from '../api/conversation.ts';
import type { Model, ModelMessage, ModelReply, ModelToolCall, WireTool } from '../api/model.ts';
import type { MaybePromise } from '../api/result.ts';
import { isTimeout } from '../core/async/deadline.ts';
import { PegboardError } from '../core/errors.ts';
import type { StoredReply } from '../store/conversations/stored-reply.ts';
import { createRepetitionGuard, type RepetitionGuard } from './repetition.ts';
import { createFittingResponder } from './respond-fitting.ts';
import { earlierEvents, earlierResult, type EarlierRound } from './resume/earlier-rounds.ts';
import type { RunCall } from './run-calls.ts';
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
  /** Stores a reply before its calls run. */
  readonly storeReply: (reply: StoredReply) => Promise<void>;
  readonly runCall: RunCall;
  /** Rounds of earlier attempts, which the loop goes on from. */
  readonly earlier: readonly EarlierRound[];
  /** Why it must not go on from there, in words for the user. */
  readonly exhausted?: string | undefined;
  readonly say: (event: TurnEvent) => void;
  readonly replyText: ReplyText;
  /** Maximum number of model requests. */
  readonly maxRounds: number;
  /** For the message when the deadline has passed. */
  readonly deadlineSeconds: number;
  /** The part of `signal` with which the caller cancels, whatever its reason. */
  readonly cancellation: AbortSignal | undefined;
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
  const { messages, find, replyText, maxRounds, storeReply, earlier, exhausted, signal } = request;
  const respond = createFittingResponder(request);
  const repetition = createRepetitionGuard();
  const all = [...messages];
  let fresh = all.length;
  try {
    for (const round of earlier) {
      fresh = all.length + 1;
      all.push(...(await goThrough(round, request, repetition)));
    }
    if (exhausted !== undefined) return exhausted;
    for (let round = earlier.length + 1; ; round++) {
      signal.throwIfAborted();
      const reply = await respond(all, fresh, (event) => replyText.handle(event));
      replyText.endRound(reply.text);
      const { text, replay } = reply;
      // The model gets back the name that it was shown.
      const toolCalls = reply.toolCalls.map((call) => ({
        ...call,
        name: find(call.name)?.name ?? call.name,
      }));
      if (toolCalls.length === 0) return incompleteReason(reply, replyText);
      const repeated = repeatedCall(toolCalls, repetition);
      if (repeated)
        return `The agent was stopped: it repeated the same calls (${repeated.name}) over and over.`;
      if (round >= maxRounds)
        return `The agent was stopped after ${maxRounds} rounds, its limit for one message (runtime.max_rounds).`;
      await storeReply({ round, text, calls: toolCalls, replay });
      all.push({ role: 'assistant', text, toolCalls, ...(replay && { replay }) });
      fresh = all.length;
      all.push(...(await runAll(toolCalls, (call) => request.runCall(call, round))));
    }
  } catch (cause) {
    return stopReason(cause, request);
  }
}

/** A round of an earlier attempt: what has a result is shown again, and the rest runs. Returns its messages. */
async function goThrough(
  { round, text, toolCalls, replay, ended }: EarlierRound,
  { replyText, say, runCall, exhausted }: LoopRequest,
  repetition: RepetitionGuard,
): Promise<readonly ModelMessage[]> {
  replyText.handle({ type: 'text', text });
  replyText.endRound(text);
  repeatedCall(toolCalls, repetition);
  for (const call of ended.values()) for (const event of earlierEvents(call)) say(event);
  const left = exhausted === undefined ? toolCalls : toolCalls.filter(({ id }) => ended.has(id));
  const results = await runAll(left, (call) => {
    const known = ended.get(call.id);
    return known ? earlierResult(call, known) : runCall(call, round);
  });
  return [{ role: 'assistant', text, toolCalls, ...(replay && { replay }) }, ...results];
}

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;

/** Runs calls in parallel. The results come in the order of the calls. */
async function runAll(
  calls: readonly ModelToolCall[],
  run: (call: ModelToolCall) => MaybePromise<ToolMessage>,
): Promise<readonly ToolMessage[]> {
  // All calls end before a failure to record one is thrown.
  const answers = await Promise.allSettled(calls.map(async (call) => await run(call)));
  return answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
}

/** Counts all calls, up to one that is repeated too often. */
const repeatedCall = (
  calls: readonly ModelToolCall[],
  repetition: RepetitionGuard,
): ModelToolCall | undefined => calls.find((call) => repetition.isRepeated(call));

function incompleteReason({ finish }: ModelReply, replyText: ReplyText): string | undefined {
  if (finish === 'length') return "The answer was cut off: it reached the model's limit.";
  if (finish === 'filtered') return "The answer was cut off by the provider's content filter.";
  return replyText.text === '' ? 'The model stopped without an answer.' : undefined;
}

function stopReason(cause: unknown, { signal, cancellation, deadlineSeconds }: LoopRequest): string {
  if (signal.aborted) {
    // A caller's own time limit is a cancellation.
    return isTimeout(signal.reason) && signal.reason !== cancellation?.reason
      ? `The agent was stopped after ${deadlineSeconds} seconds, its limit for one message (runtime.deadline).`
      : cancelled;
  }
  if (cause instanceof PegboardError && cause.code === 'PEG_LIMIT') return cause.message;
  throw cause;
}

/** Not shown to the user, who caused it. */
export const cancelled = 'cancelled';
