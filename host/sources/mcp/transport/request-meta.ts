import type { JsonObject } from '../../../api/result.ts';
import { keepWritten } from '../../../core/documents/written-numbers.ts';

/** Keys about the caller's connection to us, which have no meaning on ours to the server. */
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
