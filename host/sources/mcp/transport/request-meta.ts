import type { JsonObject } from '../../../api/result.ts';
import { keepWritten } from '../../../core/documents/written-numbers.ts';

/** What a caller says about its own connection to us means nothing on ours to the server. */
const ownToConnection = new Set([
  'progressToken',
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientInfo',
  'io.modelcontextprotocol/clientCapabilities',
  'io.modelcontextprotocol/subscriptionId',
]);

/** The part of a caller's `_meta` that is passed on. */
export function requestMeta(meta: JsonObject | undefined): JsonObject | undefined {
  if (!meta) return undefined;
  const passed = Object.entries(meta).filter(([key]) => !ownToConnection.has(key));
  return passed.length > 0 ? keepWritten(meta, Object.fromEntries(passed)) : undefined;
}
