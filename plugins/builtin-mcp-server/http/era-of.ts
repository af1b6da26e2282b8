import type { IncomingMessage } from 'node:http';
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import { isObject, metaKeys, modernVersion, type Era } from '../protocol/exchange.ts';

/** The protocol of a request. Faulty ones count as `modern`, where the SDK has an error for every fault. */
export function eraOf({ method = 'GET', headers }: IncomingMessage, body: unknown): Era {
  if (method !== 'POST') return 'legacy';
  const version = headers['mcp-protocol-version'] as string | undefined;
  const claimed = claims(body);
  // The two plain cases, without the SDK's schemas.
  if (claimed && version === modernVersion) return 'modern';
  if (!claimed && headers['mcp-session-id'] !== undefined && version !== modernVersion) return 'legacy';
  const { kind } = classifyInboundRequest({
    httpMethod: method,
    body,
    ...(version !== undefined && { protocolVersionHeader: version }),
  });
  return kind === 'legacy' ? 'legacy' : 'modern';
}

/** Whether the message, or any of a batch, names the modern protocol. */
function claims(body: unknown): boolean {
  if (Array.isArray(body)) return body.some(claims);
  const params = isObject(body) ? body['params'] : undefined;
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) && metaKeys.protocolVersion in meta;
}
