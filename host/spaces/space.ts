import type { Diagnostic } from '../api/diagnostic.ts';

/** A folder under spaces/, and who acts in it. */
export interface Space {
  /** The folder's name: the module of its tools. */
  readonly id: string;
  readonly name: string;
  /** What its tools are for, in a sentence; searched. */
  readonly description: string;
  /** Absolute. */
  readonly folder: string;
  /** At least one: a space without an agent.yaml has a default agent that sees every tool. */
  readonly agents: readonly Agent[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface Agent {
  /** "example", or "example/reviewer" where a space has several. */
  readonly id: string;
  readonly space: string;
  /** Of its own file and of its space's manifest. */
  readonly blockedTools: readonly string[];
  readonly hooks: AgentHooks;
}

/** As agent.yaml has them. */
export interface AgentHooks {
  readonly pre_tool?: readonly AgentHook[];
  readonly post_tool?: readonly AgentHook[];
}

export interface AgentHook {
  /** Glob patterns over tool ids or bare names; absent: all tools. */
  readonly match?: string | readonly string[];
  /** A shell command; it runs in the space's folder. */
  readonly command: string;
  /** Seconds; 10 when absent. */
  readonly timeout?: number;
}
