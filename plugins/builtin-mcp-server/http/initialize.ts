import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { asSentence, type JsonObject } from 'pegboard';
import { isObject } from '../protocol/exchange.ts';
import { rpcCodes } from '../protocol/rpc-error.ts';

export const isInitialize = (message: JSONRPCMessage): message is JSONRPCRequest =>
  'method' in message && 'id' in message && message.method === 'initialize';

/** The answer to an `initialize` with invalid params, for which the SDK would report an internal error. */
export function refusedInitialize(message: JSONRPCMessage): JSONRPCMessage | undefined {
  if (!isInitialize(message)) return undefined;
  const problem = problemOf(message.params);
  if (problem === undefined) return undefined;
  return {
    jsonrpc: '2.0',
    id: message.id,
    error: { code: rpcCodes.invalidParams, message: `initialize needs ${asSentence(problem)}` },
  };
}

function problemOf(params: unknown): string | undefined {
  if (!isObject(params)) return 'params';
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string') return 'a protocolVersion, as text';
  if (!isObject(capabilities)) return 'capabilities, as an object';
  if (!isObject(clientInfo)) return 'a clientInfo with name and version';
  const { name, version } = clientInfo;
  return typeof name === 'string' && typeof version === 'string'
    ? undefined
    : 'a clientInfo with name and version';
}

const restoredCapabilities = {
  elicitation: ['form', 'url'],
  sampling: ['tools', 'context'],
  roots: [],
} as const;

/**
 * The part of the params that a restored session needs, and no more: a session's id is sent in a header of every
 * request.
 */
export function toRestorable(params: unknown): JsonObject {
  const { protocolVersion, clientInfo, capabilities } = asObject(params);
  const { name, version } = asObject(clientInfo);
  const declared = Object.entries(restoredCapabilities).flatMap(([capability, parts]) => {
    const value = asObject(capabilities)[capability];
    if (!isObject(value)) return [];
    return [
      [capability, Object.fromEntries(parts.filter((part) => part in value).map((part) => [part, {}]))],
    ];
  });
  return {
    protocolVersion: short(protocolVersion),
    clientInfo: { name: short(name), version: short(version) },
    capabilities: Object.fromEntries(declared),
  };
}

const short = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 64) : 'unknown');
const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
