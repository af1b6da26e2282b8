import type { Access, Clock, Dispatch, InjectionMode, Logger, Registry } from 'pegboard';
import type { ClientTasks, ToolPreset, Upstream } from 'pegboard/serving';

/** The part of a host that the MCP server needs. */
export interface ServedHost {
  readonly registry: Registry;
  readonly dispatch: Dispatch;
  readonly log: Logger;
  readonly version: string;
  /** MCP servers whose resources and prompts are passed on. Read again after every change of the registry. */
  readonly upstreams: readonly Upstream[];
  /** Runs calls as tasks; absent: no client gets one. */
  readonly tasks?: ClientTasks;
  /** Selections that a client can ask for by name, beside every module's own. */
  readonly presets?: { readonly [name: string]: Access };
  /** How all clients see the tools. Absent: decided by the context window, and all of them for clients that defer tools. */
  readonly mode?: InjectionMode;
  /** Which tools clients without a selection of their own see at once. Absent: all. */
  readonly toolPreset?: ToolPreset;
  /** Tokens; 200,000 when absent. */
  readonly contextWindow?: number;
  /** How long the first list waits for servers that were never connected; 3,000 when absent. */
  readonly firstListTimeoutMs?: number;
  /** Of time limits; the machine's when absent. */
  readonly clock?: Clock;
  /** For the client's model: what this server is for. */
  readonly instructions?: string;
}

export const serverName = 'pegboard';
