import type { Ask } from '../ask.ts';
import type { McpClient, Peer } from './peer.ts';
import type { JsonObject } from '../result.ts';
import type { Progress } from '../tool.ts';

/**
 * An MCP server whose resources and prompts are passed on to Pegboard's clients. All data is MCP's, as plain objects.
 * Calls wait until the server is connected, and reject with a PegboardError when it can't be, or refuses.
 */
export interface Upstream {
  /** As configured: "github". */
  readonly name: string;
  /** Of its tools: as its name, unless something else has a module of that name. */
  readonly module: string;
  /** What the server offers. Undefined until the first connection. */
  capabilities(): UpstreamCapabilities | undefined;
  /** The server's MCP Implementation. Undefined until the first connection. */
  info(): JsonObject | undefined;
  /** True when each client has its own connection. */
  readonly isPerClient: boolean;
  /** Resolves when the first attempt to connect has ended, if one was made, however it ended. */
  introduced(): Promise<void>;
  /** Connects for this client. */
  connectFor(options: UpstreamCallOptions): Promise<void>;
  listResources(options?: UpstreamCallOptions): Promise<readonly UpstreamResource[]>;
  listResourceTemplates(options?: UpstreamCallOptions): Promise<readonly UpstreamResourceTemplate[]>;
  /** MCP's ReadResourceResult. */
  readResource(uri: string, options: UpstreamCallOptions): Promise<JsonObject>;
  /** Changes of this resource are reported as events from now on. */
  subscribe(uri: string, client?: McpClient): Promise<void>;
  unsubscribe(uri: string, client?: McpClient): Promise<void>;
  listPrompts(options?: UpstreamCallOptions): Promise<readonly UpstreamPrompt[]>;
  /** MCP's GetPromptResult. */
  getPrompt(
    name: string,
    args: { readonly [name: string]: string } | undefined,
    options: UpstreamCallOptions,
  ): Promise<JsonObject>;
  /** Takes and gives MCP's CompleteRequest params and CompleteResult. */
  complete(params: JsonObject, options: UpstreamCallOptions): Promise<JsonObject>;
  /** Subscriptions survive a reconnect. */
  onEvent(listener: (event: UpstreamEvent) => void): Disposable;
}

export interface UpstreamCapabilities {
  readonly resources?: { readonly subscribe?: boolean };
  readonly prompts?: object;
  readonly completions?: object;
}

/** The caller of a request. Every member is optional. */
export interface UpstreamCallOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly ask?: Ask;
  readonly peer?: Peer;
  /** The client that requests. Absent or without a session: the request is independent of others. */
  readonly client?: McpClient;
  readonly meta?: JsonObject;
}

export type UpstreamResource = JsonObject & { readonly uri: string; readonly name: string };
export type UpstreamResourceTemplate = JsonObject & { readonly uriTemplate: string; readonly name: string };
export type UpstreamPrompt = JsonObject & { readonly name: string };

/** `session`: the session of the client that the event is for. Absent: for all clients. */
export type UpstreamEvent = { readonly session?: string | undefined } & (
  | { readonly type: 'resources_changed' }
  | { readonly type: 'prompts_changed' }
  | { readonly type: 'resource_updated'; readonly uri: string }
);
