import { UnsupportedProtocolVersionError, type JSONRPCMessage } from '@modelcontextprotocol/server';
import { isObject, metaKeys, modernVersion } from '../protocol/exchange.ts';

/**
 * The answer to a request whose `_meta` names an unsupported protocol version. The SDK would first check the rest of it,
 * which other versions may lack.
 */
export function refusedVersion(message: unknown): JSONRPCMessage | undefined {
  if (!isObject(message) || typeof message['method'] !== 'string' || !('id' in message)) return undefined;
  const params = isObject(message['params']) ? message['params'] : {};
  const requested = isObject(params['_meta']) ? params['_meta'][metaKeys.protocolVersion] : undefined;
  if (typeof requested !== 'string' || requested === modernVersion) return undefined;
  const {
    code,
    message: said,
    data,
  } = new UnsupportedProtocolVersionError({
    supported: [modernVersion],
    requested,
  });
  return { jsonrpc: '2.0', id: message['id'] as string | number, error: { code, message: said, data } };
}
