import type { JsonObject } from 'pegboard';
import { type McpClient, type PeerLogLevel, peerLogLevels, type PeerMethod } from 'pegboard/serving';

/** `legacy` is every protocol version with sessions (up to 2025-11-25), `modern` 2026-07-28. */
export type Era = 'legacy' | 'modern';

export const modernVersion = '2026-07-28';

/** Whether a message of this level is important enough for the client's setting. */
export const isWanted = (level: PeerLogLevel, wanted: PeerLogLevel): boolean =>
  peerLogLevels.indexOf(level) >= peerLogLevels.indexOf(wanted);

/** Keys of `_meta` that the modern protocol reserves. */
export const metaKeys = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

/** One request of a client, in any era and over any transport. */
export interface Exchange {
  readonly era: Era;
  /** Whose session it belongs to, if any, and what its HTTP request said. */
  readonly from: McpClient;
  readonly client: { readonly name: string; readonly capabilities: JsonObject };
  /** Aborts when the client cancels or goes away. */
  readonly signal: AbortSignal;
  /** The request's `_meta`, without what the protocol reserves. */
  readonly meta: JsonObject | undefined;
  /** Sends a notification that belongs to this request. Never throws; lost when the client is gone. */
  notify(method: string, params: JsonObject): void;
  /** Sends a log message if the client wants this level. */
  log(level: PeerLogLevel, data: unknown, logger?: string): void;
  /** Legacy only: asks the client while its own request waits. */
  readonly request?: (method: PeerMethod, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  /** Modern only: the client's answers to an earlier input_required, and the state that came with it. */
  readonly inputResponses?: JsonObject | undefined;
  readonly requestState?: unknown;
}

export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
