import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { isObject } from './exchange.ts';

/** Has it the shape of a JSON-RPC request, notification or response? What is inside is for others to check. */
export function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return false;
  const { id, method } = value;
  const hasId = typeof id === 'string' || Number.isSafeInteger(id);
  if (method !== undefined) return typeof method === 'string' && (id === undefined || hasId);
  return hasId && ('result' in value || 'error' in value);
}
