import type { JsonObject } from '../result.ts';

/**
 * The MCP client at the other end of a call, for what goes beyond questions and progress: sampling, roots, log
 * messages. Absent when the call doesn't come from an MCP client.
 */
export interface Peer {
  /** MCP's ClientCapabilities, as declared. */
  readonly capabilities: JsonObject;
  /**
   * Asks the client: "sampling/createMessage", "roots/list", "elicitation/create". Throws PEG_CLIENT_CAPABILITY when
   * it didn't declare that it can; rejects when `signal` aborts.
   */
  request(method: PeerMethod, params: JsonObject, options: PeerRequestOptions): Promise<JsonObject>;
  /** Sends a log message, filtered by the level that the client has set. */
  log(level: PeerLogLevel, data: unknown, logger?: string): void;
}

/** The MCP client that a call comes from. Inner calls, and background work that they start, have it as well. */
export interface McpClient {
  /** Absent when requests are independent of each other. */
  readonly session?: ClientSession | undefined;
  /** Headers of its HTTP request, with names in lower case and without Pegboard's own token. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The session that a client's requests share. It also reaches the client while no request is open. */
export interface ClientSession extends Peer {
  /** Unique, regardless of the client's name. */
  readonly id: string;
  /** `ended` is called once, when the session is over. */
  onEnd(ended: () => void): Disposable;
  /** `changed` is called when the client reports that its roots changed. */
  onRootsChanged(changed: () => void): Disposable;
}

export type PeerMethod = 'sampling/createMessage' | 'roots/list' | 'elicitation/create';

interface PeerRequestOptions {
  readonly signal: AbortSignal;
  /** A name by which the client recognises the request over several rounds. Unique among a call's open requests. */
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
