import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import { isObject } from './exchange.ts';

/** Whether the SDK accepts it as a message. It drops anything else silently, and the sender would wait forever. */
export function isMessage(value: unknown): value is JSONRPCMessage {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return false;
  return (
    isPlainRequest(value) ||
    isJSONRPCRequest(value) ||
    isJSONRPCNotification(value) ||
    isJSONRPCResponse(value)
  );
}

/** A response without a result object counts as an empty result. */
export function withResult(value: unknown): unknown {
  if (!isObject(value) || !('result' in value) || 'method' in value || isObject(value['result']))
    return value;
  return { ...value, result: {} };
}

const parts = new Set(['jsonrpc', 'id', 'method', 'params']);

/** Recognises most messages without the SDK's schemas. */
function isPlainRequest(value: { readonly [key: string]: unknown }): boolean {
  const { id, method, params } = value;
  if (typeof method !== 'string' || !(typeof id === 'string' || Number.isSafeInteger(id))) return false;
  if (params !== undefined && (!isObject(params) || !isPlainMeta(params['_meta']))) return false;
  return Object.keys(value).every((key) => parts.has(key));
}

/** Whether `_meta` has no key with a meaning in the protocol, except a valid progress token. */
export function isPlainMeta(meta: unknown): boolean {
  if (meta === undefined) return true;
  if (!isObject(meta)) return false;
  const token = meta['progressToken'];
  if (token !== undefined && typeof token !== 'string' && !Number.isSafeInteger(token)) return false;
  return !Object.keys(meta).some((key) => key.startsWith('io.modelcontextprotocol/'));
}
