import { randomInt } from 'node:crypto';
import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import type { JsonObject } from 'pegboard';
import type { PeerMethod } from 'pegboard/serving';
import { isObject } from '../protocol/exchange.ts';
import { isResultOf } from './peer-answer.ts';

type RequestId = string | number;

/**
 * Requests to a legacy client while its own request waits. The SDK would copy the answers by its schemas: numbers and
 * the order of members would change.
 */
export interface ClientQuestions extends Disposable {
  /**
   * The client's answer, unchanged; `about`: the request that it belongs to. Rejects with the client's error, with
   * INVALID_RESULT for an invalid answer, or with the signal's reason.
   */
  ask(
    method: PeerMethod,
    params: JsonObject,
    options: { readonly signal: AbortSignal; readonly about?: RequestId },
  ): Promise<JsonObject>;
  /** True when the message answers one of these. */
  take(message: JSONRPCMessage): boolean;
}

interface Open {
  readonly method: PeerMethod;
  readonly settle: (end: () => void) => void;
  readonly resolve: (answer: JsonObject) => void;
  readonly reject: (cause: unknown) => void;
}

/**
 * Where ids begin. The SDK's own count from 0. Those of other hosts that ask the same client begin elsewhere: an answer
 * must never count for another host's question.
 */
const firstId = (): number => randomInt(2 ** 20, 2 ** 31);

export function createClientQuestions(send: Transport['send']): ClientQuestions {
  const open = new Map<number, Open>();
  let nextId = firstId();

  const cancel = (requestId: number, reason: unknown): void => {
    const params = { requestId, reason: String(reason) };
    // The client may have disconnected.
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => {});
  };

  return {
    ask(method, params, { signal, about }) {
      if (signal.aborted) return Promise.reject(signal.reason as Error);
      const id = nextId++;
      const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
      const onAbort = (): void => {
        cancel(id, signal.reason);
        settle(() => reject(signal.reason));
      };
      const settle: Open['settle'] = (end) => {
        open.delete(id);
        signal.removeEventListener('abort', onAbort);
        end();
      };
      open.set(id, { method, settle, resolve, reject });
      signal.addEventListener('abort', onAbort, { once: true });
      const related = about === undefined ? {} : { relatedRequestId: about };
      send({ jsonrpc: '2.0', id, method, params }, related).catch((cause: unknown) =>
        settle(() => reject(cause)),
      );
      return promise;
    },
    take(message) {
      if ('method' in message) return false;
      const question = open.get(Number(message.id));
      if (!question) return false;
      const { method, settle, resolve, reject } = question;
      settle(() => {
        if ('error' in message) {
          const { code, message: said, data } = message.error;
          reject(new ProtocolError(code, said, data));
        } else if (isObject(message.result) && isResultOf(method, message.result)) resolve(message.result);
        else reject(new SdkError(SdkErrorCode.InvalidResult, `that is not an answer to ${method}`));
      });
      return true;
    },
    [Symbol.dispose]() {
      for (const { settle, reject } of open.values())
        settle(() => reject(new Error('the client disconnected')));
    },
  };
}
