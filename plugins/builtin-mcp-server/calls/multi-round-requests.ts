import { createHash } from 'node:crypto';
import { type JsonObject, toJson } from 'pegboard';
import { canonicalJson } from 'pegboard/kit';
import type { Signer } from '../http/signer.ts';
import type { Exchange } from '../protocol/exchange.ts';
import type { Correspondence } from '../hosts/correspondence.ts';
import { createCallsElsewhere } from './calls-elsewhere.ts';
import { resumeCall, startCall, type Promotion, type RoundCall, type Work } from './round-call.ts';
import { SuspendedCalls } from './suspended-calls.ts';

/**
 * Modern clients are never asked while their request is pending: the request ends with `input_required`, and the client
 * repeats it with the answers. In between, the work is suspended, and it continues where it stopped, so that nothing
 * runs twice and an answer applies to exactly what was shown.
 */
export interface MultiRoundRequests extends Disposable {
  /** `promotion`: the work may continue without its request. */
  run(
    method: string,
    params: JsonObject,
    exchange: Exchange,
    work: Work,
    promotion?: Promotion,
  ): Promise<JsonObject>;
}

/** `hosts`: other servers, to which the client may come back. */
export function createMultiRoundRequests(
  signer: Signer,
  hosts?: Pick<Correspondence, 'address' | 'answer' | 'ask'> & { readonly selection: string },
): MultiRoundRequests {
  const suspended = new SuspendedCalls(signer, hosts?.address);
  const elsewhere = hosts && createCallsElsewhere(hosts, suspended, settle);
  return {
    async run(method, params, exchange, work, promotion) {
      const start = (digest: () => string, from = exchange): Promise<JsonObject> =>
        settle(startCall(digest, from, work, promotion), suspended);
      const isFirst = exchange.inputResponses === undefined && exchange.requestState === undefined;
      if (isFirst) return start(() => digestOf(method, params));
      const digest = digestOf(method, params);
      if (exchange.requestState === undefined) return start(() => digest);
      // Answers to an expired call don't apply to a new one, which asks again.
      const startAgain = () => start(() => digest, { ...exchange, inputResponses: undefined });
      const at = suspended.read(exchange, digest);
      if (elsewhere && at.elsewhere !== undefined)
        return (await elsewhere.resume(at.elsewhere, at, method, exchange)) ?? startAgain();
      const call = suspended.find(at);
      if (!call) return startAgain();
      resumeCall(call, exchange);
      return settle(call, suspended);
    },
    [Symbol.dispose]() {
      elsewhere?.[Symbol.dispose]();
      suspended[Symbol.dispose]();
    },
  };
}

/** The answer to the open request: the call's own, `input_required`, or that of the promotion. */
async function settle(call: RoundCall, suspended: SuspendedCalls): Promise<JsonObject> {
  const { exchange, promotion } = call;
  using due = promotion && dueIn(promotion);
  const onGone = (): void => suspended.abort(call, 'the client disconnected');
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
        suspended.release(call);
        return answer;
      }
      call.asked = Promise.withResolvers();
      if (first !== 'asked') {
        suspended.release(call);
        return first;
      }
      if (call.questions.size > 0) return suspended.suspend(call);
    }
  } catch (cause) {
    suspended.abort(call, 'failed');
    throw cause;
  } finally {
    exchange.signal.removeEventListener('abort', onGone);
  }
}

/** Resolves once, after its time; with 0 before anything else happens. */
function dueIn({
  afterMs,
  clock,
}: Promotion): Disposable & { readonly promise: Promise<'due'>; isOver: boolean } {
  const answered = new AbortController();
  return {
    promise: afterMs === 0 ? Promise.resolve('due') : clock.sleep(afterMs, answered.signal).then(() => 'due'),
    isOver: false,
    [Symbol.dispose]: () => answered.abort(),
  };
}

function digestOf(method: string, params: JsonObject): string {
  const { _meta: _, ...rest } = params;
  return createHash('sha256')
    .update(toText([method, rest]))
    .digest('base64url');
}

/** Arguments that are nested too deeply to sort their keys are compared in their original order. */
function toText(value: unknown): string {
  try {
    return canonicalJson(value);
  } catch {
    return toJson(value);
  }
}
