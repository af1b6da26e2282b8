import { randomUUID } from 'node:crypto';
import type { Clock, JsonObject, ToolResult } from 'pegboard';
import { untilAborted } from 'pegboard/kit';
import { createClientChannel, type ClientChannel, type RequestClient } from '../client/client-channel.ts';
import { answerTo } from '../client/peer-answer.ts';
import type { Exchange } from '../protocol/exchange.ts';
import type { TaskQuestion } from './served-task.ts';

/** Work for a client. Calls `ended` with the tool's result before it turns that into an answer. */
export type Work = (channel: ClientChannel, ended: (result: ToolResult) => void) => Promise<JsonObject>;

/** Answers a long request before its work is done. */
export interface Promotion {
  /** How long the request waits for the work first. */
  readonly afterMs: number;
  readonly clock: Clock;
  /**
   * Takes over the work and resolves with the request's response. Rejects when that is impossible; the request then
   * continues.
   */
  take(work: Pick<RoundCall, 'controller' | 'questions' | 'outcome'>): Promise<JsonObject>;
}

/** Work that may take several requests of its client to finish. */
export interface RoundCall {
  readonly id: string;
  /** Parameters of the first request: a repeated one must be equal. */
  readonly digest: () => string;
  readonly promotion: Promotion | undefined;
  readonly controller: AbortController;
  /** Open questions by name. */
  readonly questions: Map<string, TaskQuestion>;
  readonly result: Promise<JsonObject>;
  /** The tool's result. */
  readonly outcome: Promise<ToolResult>;
  /** The exchange of the open request, or of the last one. */
  exchange: Exchange;
  round: number;
  /** Between two rounds: no request of the client is open. */
  waiting: boolean;
  asked: PromiseWithResolvers<'asked'>;
  expiry?: NodeJS.Timeout;
}

/** `promotion`: the work may continue without its request. */
export function startCall(
  digest: () => string,
  exchange: Exchange,
  work: Work,
  promotion: Promotion | undefined,
): RoundCall {
  const controller = new AbortController();
  const outcome = Promise.withResolvers<ToolResult>();
  const questions = new Map<string, TaskQuestion>();
  const request: RequestClient = (method, params, { signal, name = randomUUID() }) => {
    const known = answerTo(name, method, call.exchange.inputResponses);
    if (known) return Promise.resolve(known);
    const { promise, resolve } = Promise.withResolvers<JsonObject>();
    questions.set(name, { method, params, resolve });
    // Questions that are asked together reach the client together.
    setImmediate(() => call.asked.resolve('asked'));
    return untilAborted(promise, signal).finally(() => questions.delete(name));
  };
  const call: RoundCall = {
    id: randomUUID(),
    digest,
    promotion,
    controller,
    questions,
    exchange,
    round: 0,
    waiting: false,
    outcome: outcome.promise,
    asked: Promise.withResolvers(),
    result: Promise.resolve().then(() =>
      work(
        createClientChannel(() => call.exchange, controller.signal, request),
        outcome.resolve,
      ),
    ),
  };
  // A rejection between two rounds is reported in the next one.
  call.result.catch(() => {});
  return call;
}

/** Continues a suspended call with the answers that `exchange` brings. */
export function resumeCall(call: RoundCall, exchange: Exchange): void {
  clearTimeout(call.expiry);
  call.exchange = exchange;
  call.waiting = false;
  for (const [name, { method, resolve }] of call.questions) {
    const response = answerTo(name, method, exchange.inputResponses);
    if (!response) continue;
    call.questions.delete(name);
    resolve(response);
  }
  if (call.questions.size > 0) call.asked.resolve('asked');
}
