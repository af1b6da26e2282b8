import type { JsonObject } from './result.ts';

/**
 * The MCP client at the other end of a call, for what goes beyond questions and progress: sampling, roots, log
 * messages. Absent where no MCP client is there.
 */
export interface Peer {
  /** MCP's ClientCapabilities, as declared. */
  readonly capabilities: JsonObject;
  /**
   * Asks the client: "sampling/createMessage", "roots/list", "elicitation/create". Throws PEG_CLIENT_CAPABILITY when
   * it didn't declare that it can; rejects when `signal` aborts.
   */
  request(method: PeerMethod, params: JsonObject, options: PeerRequestOptions): Promise<JsonObject>;
  /** MCP's log message, at most as detailed as the client wants to have it. */
  log(level: PeerLogLevel, data: unknown, logger?: string): void;
}

export type PeerMethod = 'sampling/createMessage' | 'roots/list' | 'elicitation/create';

export interface PeerRequestOptions {
  readonly signal: AbortSignal;
  /** What the client may know the question by over several rounds, unique among a call's open ones. */
  readonly name?: string;
}

/** From least to most severe. */
export const peerLogLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
export type PeerLogLevel = (typeof peerLogLevels)[number];
