import type { JsonObject } from './result.ts';
import type { SandboxRule } from './sandbox.ts';

/** How a model is shown its tools: full schemas, names with one line each, or meta-tools that find the rest. */
export type InjectionMode = 'direct' | 'compact_direct' | 'discovery';

/** Who acts in a space, as agent.yaml says, with defaults filled in. */
export interface Agent {
  /** "example", or "example/reviewer" where a space has several. */
  readonly id: string;
  readonly space: string;
  /** Absolute: the folder of its space, in which its commands run. */
  readonly folder: string;
  readonly name: string;
  /** What it is for, in a sentence: what other agents read before they hand it a task. */
  readonly description: string;
  /** A coordinator may spawn agents. */
  readonly role: 'assistant' | 'coordinator' | 'worker';
  readonly brain: Brain;
  readonly runtime: AgentRuntime;
  /** By module, in the order written. Undefined: every tool of every source. */
  readonly modules: ReadonlyMap<string, ModuleBlock> | undefined;
  /** Of its own file and of its space's manifest: ids, bare names, globs. */
  readonly blockedTools: readonly string[];
  /** Tools that run unasked although the turn has read what others wrote: ids, bare names, globs. */
  readonly allowUntrusted: readonly string[];
  /** Of the programs that its calls start. */
  readonly sandbox: SandboxRule | undefined;
  readonly systemPrompt: string | undefined;
  readonly hooks: AgentHooks;
}

export interface Brain {
  /** A model's name at its provider, or "provider/model"; undefined: the home's. */
  readonly model?: string;
  readonly backend: 'openai_compat' | 'anthropic' | 'github_copilot';
  readonly nativeToolUse: boolean | 'auto';
  /** Tokens; undefined: what is known of the model. */
  readonly contextWindow?: number;
  /** Models to try when the first can't answer. */
  readonly fallback: readonly string[];
  readonly temperature?: number;
  /** Of one answer, in tokens. */
  readonly maxTokens?: number;
}

export interface AgentRuntime {
  /** Undefined: decided by the budget. */
  readonly toolInjection?: InjectionMode;
  /** Every tool of these modules stays directly visible in discovery. */
  readonly directModules: readonly string[];
  readonly watchers: boolean;
  readonly scheduler: boolean;
  /** Model calls in one turn. */
  readonly maxRounds: number;
  /** Seconds for one turn. Time that a person takes to answer doesn't count. */
  readonly deadline: number;
  /** US dollars a day; undefined: no cap of its own. */
  readonly spendPerDay?: number;
}

/** One entry of `tools.modules`. */
export interface ModuleBlock {
  readonly config: JsonObject;
  /** Calls that the host makes for the agent before its first turn. */
  readonly setup: readonly { readonly action: string; readonly params: JsonObject }[];
  readonly constraints: ModuleConstraints;
  /** Names of middleware with their settings, outermost first. */
  readonly middleware: readonly { readonly use: string; readonly with: JsonObject }[];
  /** Name of the secret that the module's tools get. */
  readonly credential: string | undefined;
}

/** What is neither of the two is the module's own, checked against what it declares. */
export interface ModuleConstraints {
  readonly allowed_actions?: readonly string[];
  readonly blocked_actions?: readonly string[];
  readonly [name: string]: unknown;
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

/** Instructions that an agent follows when they fit: not a tool. */
export interface Skill {
  /** kebab-case, unique in its space. */
  readonly name: string;
  readonly description: string;
  /** Markdown. */
  readonly body: string;
  /** Absolute. */
  readonly path: string;
}

/** The texts of SOUL.md, IDENTITY.md and USER.md; undefined where there is none. */
export interface Identity {
  readonly soul?: string;
  readonly identity?: string;
  readonly user?: string;
}
