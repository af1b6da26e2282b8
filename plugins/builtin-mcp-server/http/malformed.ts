import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { asSentence } from 'pegboard';
import { keepWritten } from 'pegboard/kit';
import { isObject } from '../protocol/exchange.ts';
import { rpcCodes } from '../protocol/rpc-error.ts';

/** The error for a malformed message, with its id where that can be read, else with null. */
export function malformedRefusal(value: unknown): JSONRPCMessage {
  const id = isObject(value) ? value['id'] : undefined;
  const refusal = {
    jsonrpc: '2.0',
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    error: {
      code: rpcCodes.invalidRequest,
      message: `The request is not JSON-RPC: ${asSentence(problemOf(value))}`,
    },
  };
  return (isObject(value) ? keepWritten(value, refusal) : refusal) as never;
}

export const invalidJson = {
  jsonrpc: '2.0',
  id: null,
  error: { code: rpcCodes.parseError, message: 'The request is not JSON.' },
} as never as JSONRPCMessage;

/** Whether no answer is expected. Answering a malformed response could cause an endless exchange. */
export function isUnanswerable(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (value['method'] === undefined) return 'result' in value || 'error' in value;
  return typeof value['method'] === 'string' && !('id' in value);
}

function problemOf(value: unknown): string {
  if (Array.isArray(value)) return 'an empty batch';
  if (!isObject(value)) return 'a message is an object';
  const { jsonrpc, id, method, params } = value;
  if (jsonrpc !== '2.0') return 'its jsonrpc is not "2.0"';
  if (typeof method !== 'string') return 'it has no method, as text';
  if (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id))
    return 'its id is neither text nor a whole number within 2⁵³';
  if (params !== undefined && !isObject(params)) return 'its params are not an object';
  return 'a member has the wrong type or value for MCP';
}
