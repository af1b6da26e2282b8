import type { JsonObject } from 'pegboard';
import type { PeerMethod } from 'pegboard/serving';
import { isObject } from '../protocol/exchange.ts';

/** The client's response under this name, if it has the shape of one. */
export function answerTo(
  name: string,
  method: PeerMethod,
  responses: JsonObject | undefined,
): JsonObject | undefined {
  const response = responses && Object.hasOwn(responses, name) ? responses[name] : undefined;
  return isObject(response) && isResultOf(method, response) ? response : undefined;
}

/** Whether it has the shape of an answer to this method. */
export function isResultOf(method: PeerMethod, response: JsonObject): boolean {
  switch (method) {
    case 'elicitation/create':
      return (
        ['accept', 'decline', 'cancel'].includes(response['action'] as string) &&
        isObject(response['content'] ?? {})
      );
    case 'sampling/createMessage':
      return isObject(response['content']) || Array.isArray(response['content']);
    case 'roots/list':
      return Array.isArray(response['roots']);
  }
}
