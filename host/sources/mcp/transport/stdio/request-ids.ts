import { LRUCache } from 'lru-cache';
import type { RpcMessage } from '../rpc-message.ts';

/** Maximum number of cancelled requests that are remembered: servers answer some of them late. */
const maxGivenUp = 1_000;

/** Recognizes answers to requests that were never sent. Some servers write every id as text. */
export interface RequestIds {
  /** Called for every outgoing message. */
  sent(message: RpcMessage): void;
  /** Whether `message` answers no request. Late answers to cancelled requests don't count. */
  isStray(message: RpcMessage): boolean;
  /** Number of remembered ids. */
  readonly size: number;
}

export function createRequestIds(): RequestIds {
  const waiting = new Set<string>();
  const givenUp = new LRUCache<string, true>({ max: maxGivenUp });

  const giveUp = (id: string): void => {
    if (waiting.delete(id)) givenUp.set(id, true);
  };
  return {
    sent({ id, method, params }) {
      if (method === 'notifications/cancelled') giveUp(String(params?.['requestId']));
      else if (id !== undefined && method !== undefined) waiting.add(String(id));
    },
    isStray: ({ id, method }) =>
      id !== undefined && method === undefined && !waiting.delete(String(id)) && !givenUp.delete(String(id)),
    get size() {
      return waiting.size + givenUp.size;
    },
  };
}
