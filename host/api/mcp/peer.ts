import type { JsonObject } from '../result.ts';

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

/** Which MCP client a call comes from. Calls within the call, and what they leave running, have it as well. */
export interface McpClient {
  /** Absent where each request stands for itself. */
  readonly session?: ClientSession | undefined;
  /** Of its HTTP request: names in lower case. Our own token isn't among them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the requests of one client have in common, and how it is talked to while none of them is open. */
export interface ClientSession extends Peer {
  /** Unique, whatever the client calls itself. */
  readonly id: string;
  /** `ended` is called once, when the client has left for good. */
  onEnd(ended: () => void): Disposable;
  /** `changed` is called when the client says that its roots are others. */
  onRootsChanged(changed: () => void): Disposable;
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
