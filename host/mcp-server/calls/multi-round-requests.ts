import { createHash, randomUUID } from 'node:crypto';
import type { JsonObject, ToolResult } from '../../api/result.ts';
import { untilAborted } from '../../core/async/deadline.ts';
import { canonicalJson } from '../../tools/fingerprint.ts';
import type { Exchange } from '../protocol/exchange.ts';
import { answerTo } from '../client/peer-answer.ts';
import { invalidParams } from '../protocol/rpc-error.ts';
import type { Signer } from '../http/signer.ts';
import type { TaskQuestion } from './tasks.ts';
import { createClientChannel, type RequestClient, type ClientChannel } from '../client/client-channel.ts';
import { toJson } from '../../core/documents/written-numbers.ts';

/**
 * Modern clients are never asked while their request waits: the request ends with `input_required`, and the client
 * repeats it with the answers. Work that asks is kept here in between and goes on where it stood, so that nothing
 * runs twice and an answer is for exactly what was shown.
 */
export interface MultiRoundRequests extends Disposable {
  /** `promotion`: the work may go on without its request. */
  run(
    method: string,
    params: JsonObject,
    exchange: Exchange,
    work: Work,
    promotion?: Promotion,
  ): Promise<JsonObject>;
}

/** A request that runs long may be answered before its work is done. */
export interface Promotion {
  /** Milliseconds that the work has first. */
  readonly afterMs: number;
  /** Takes the work over, and says what the request is answered. Rejects where that can't be: the request goes on. */
  take(work: Pick<Suspended, 'controller' | 'questions' | 'outcome'>): Promise<JsonObject>;
}
/** Says with `ended` what a tool gave, before it is made an answer. */
export type Work = (channel: ClientChannel, ended: (result: ToolResult) => void) => Promise<JsonObject>;

interface Suspended {
  readonly id: string;
  /** Of the request: a repeated one must be the same. */
  readonly digest: () => string;
  readonly controller: AbortController;
  readonly questions: Map<string, TaskQuestion>;
  readonly result: Promise<JsonObject>;
  /** What the tool gave. */
  readonly outcome: Promise<ToolResult>;
  exchange: Exchange;
  round: number;
  /** Between two rounds: no request of the client is open. */
  waiting: boolean;
  asked: PromiseWithResolvers<'asked'>;
  expiry?: NodeJS.Timeout;
}

const statePurpose = 'request-state';
/** How long a client may think between two rounds. */
const keptForMs = 10 * 60_000;
const maxSuspended = 256;

export function createMultiRoundRequests(signer: Signer): MultiRoundRequests {
  const suspended = new Map<string, Suspended>();

  const release = (call: Suspended): void => {
    clearTimeout(call.expiry);
    suspended.delete(call.id);
  };
  const forget = (call: Suspended, reason: string): void => {
    release(call);
    call.controller.abort(new Error(reason));
  };

  const suspend = (call: Suspended): JsonObject => {
    call.waiting = true;
    call.round++;
    suspended.delete(call.id);
    suspended.set(call.id, call);
    if (suspended.size > maxSuspended)
      forget(suspended.values().next().value!, 'too many calls wait for an answer');
    clearTimeout(call.expiry);
    call.expiry = setTimeout(
      () => forget(call, 'the client did not come back with an answer'),
      keptForMs,
    ).unref();
    const { id, round, digest } = call;
    return {
      resultType: 'input_required',
      inputRequests: Object.fromEntries(
        [...call.questions].map(([name, { method, params }]) => [name, { method, params }]),
      ),
      requestState: signer.seal(statePurpose, { id, round, digest: digest() }),
    };
  };

  /** The call that this request continues; undefined when it starts a new one. */
  const find = (exchange: Exchange, digest: string): Suspended | undefined => {
    const state = signer.open(statePurpose, exchange.requestState);
    if (!state || state['digest'] !== digest) throw invalidParams('Invalid or expired requestState');
    const call = suspended.get(String(state['id']));
    if (call && (!call.waiting || call.round !== state['round'])) {
      throw invalidParams('This requestState was already answered');
    }
    return call;
  };

  const settle = async (call: Suspended, promotion?: Promotion): Promise<JsonObject> => {
    const { exchange } = call;
    using due = promotion && dueIn(promotion.afterMs);
    const onGone = (): void => forget(call, 'the client went away');
    if (exchange.signal.aborted) onGone();
    else exchange.signal.addEventListener('abort', onGone, { once: true });
    try {
      for (;;) {
        const first = await Promise.race([
          call.result,
          call.asked.promise,
          ...(due && !due.isOver ? [due.promise] : []),
        ]);
        if (first === 'due') {
          due!.isOver = true;
          const answer = await promotion!.take(call).catch(() => undefined);
          if (!answer) continue;
          release(call);
          return answer;
        }
        call.asked = Promise.withResolvers();
        if (first !== 'asked') {
          release(call);
          return first;
        }
        if (call.questions.size > 0) return suspend(call);
      }
    } catch (cause) {
      forget(call, 'failed');
      throw cause;
    } finally {
      exchange.signal.removeEventListener('abort', onGone);
    }
  };

  const start = (digest: () => string, exchange: Exchange, work: Work): Suspended => {
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
    const call: Suspended = {
      id: randomUUID(),
      digest,
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
    // A rejection between two rounds is told in the next one.
    call.result.catch(() => {});
    return call;
  };

  const resume = (call: Suspended, exchange: Exchange): void => {
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
  };

  return {
    async run(method, params, exchange, work, promotion) {
      if (exchange.inputResponses === undefined && exchange.requestState === undefined) {
        return settle(
          start(() => digestOf(method, params), exchange, work),
          promotion,
        );
      }
      const digest = digestOf(method, params);
      if (exchange.requestState === undefined)
        return settle(
          start(() => digest, exchange, work),
          promotion,
        );
      const call = find(exchange, digest);
      // Answers to a call that is gone are not answers to a new one: it asks again.
      if (!call)
        return settle(
          start(() => digest, { ...exchange, inputResponses: undefined }, work),
          promotion,
        );
      resume(call, exchange);
      return settle(call, promotion);
    },
    [Symbol.dispose]() {
      for (const call of suspended.values()) forget(call, 'Pegboard stops');
    },
  };
}

/** Resolves once, in at least `ms`; with 0 before anything else happens. */
function dueIn(ms: number): Disposable & { readonly promise: Promise<'due'>; isOver: boolean } {
  const { promise, resolve } = Promise.withResolvers<'due'>();
  const timer = ms === 0 ? undefined : setTimeout(() => resolve('due'), ms);
  if (ms === 0) resolve('due');
  return { promise, isOver: false, [Symbol.dispose]: () => clearTimeout(timer) };
}

function digestOf(method: string, params: JsonObject): string {
  const { _meta: _, ...said } = params;
  return createHash('sha256')
    .update(toText([method, said]))
    .digest('base64url');
}

/** Arguments too deep for one order of keys are held to the order that they came in. */
function toText(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch {
    return toJson(value);
  }
}
