import type { JsonObject } from '../../../api/result.ts';

export type RpcId = string | number;

/** A JSON-RPC message from a server. It is only known to be an object. */
export interface RpcMessage {
  readonly jsonrpc?: unknown;
  readonly id?: RpcId | null;
  readonly method?: string;
  readonly params?: JsonObject;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown };
}

export const isRequest = (message: RpcMessage): boolean =>
  typeof message.method === 'string' && message.id !== undefined && message.id !== null;

export const isNotification = (message: RpcMessage): boolean =>
  typeof message.method === 'string' && (message.id === undefined || message.id === null);

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
