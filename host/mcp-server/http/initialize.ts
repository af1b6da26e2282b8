import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { isObject } from '../protocol/exchange.ts';
import { rpcCodes } from '../protocol/rpc-error.ts';

/** The answer to an `initialize` whose params aren't MCP's: the SDK would call that an internal error. */
export function refusedInitialize(message: JSONRPCMessage): JSONRPCMessage | undefined {
  if (!('method' in message) || !('id' in message) || message.method !== 'initialize') return undefined;
  const problem = problemOf(message.params);
  if (problem === undefined) return undefined;
  return {
    jsonrpc: '2.0',
    id: message.id,
    error: { code: rpcCodes.invalidParams, message: `initialize needs ${problem}.` },
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
