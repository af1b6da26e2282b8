import type { JsonObject } from './result.ts';
import type { SandboxRule } from './sandbox.ts';

/** How a model is shown its tools: full schemas, names with one line each, or meta-tools that find the rest. */
export type InjectionMode = 'direct' | 'compact_direct' | 'discovery';

/** An agent of a space: the content of agent.yaml with defaults filled in. */
export interface Agent {
  /** "example", or "example/reviewer" where a space has several. */
  readonly id: string;
  readonly space: string;
  /** Absolute path of its space's folder. Its commands run there. */
  readonly folder: string;
  readonly name: string;
  /** Its purpose in one sentence. Other agents read it before they delegate a task. */
  readonly description: string;
  /** Its file says that it answers where no agent is named. */
  readonly isDefault: boolean;
  /** A coordinator may spawn agents. */
  readonly role: 'assistant' | 'coordinator' | 'worker';
  readonly brain: Brain;
  readonly runtime: AgentRuntime;
  /** By module, in the order of the file. Undefined: every tool of every source. */
  readonly modules: ReadonlyMap<string, ModuleBlock> | undefined;
  /** From its own file and its space's manifest: ids, bare names, globs. */
  readonly blockedTools: readonly string[];
  /** Tools that run without confirmation even after the turn has read untrusted content: ids, bare names, globs. */
  readonly allowUntrusted: readonly string[];
  /** Of its own file. Undefined: it has none. */
  readonly permissions: PermissionRules | undefined;
  /** Applies to the programs that its calls start. */
  readonly sandbox: SandboxRule | undefined;
  readonly systemPrompt: string | undefined;
  readonly hooks: AgentHooks;
}

export interface Brain {
  /** A model's name at its provider, or "provider/model". Default: the home's model. */
  readonly model?: string;
  /** The provider of models that are named without one. "openai_compat": the home's. */
  readonly backend: string;
  readonly nativeToolUse: boolean | 'auto';
  /** In tokens. Default: the known size for the model. */
  readonly contextWindow?: number;
  /** Models to try, in order, when the first can't answer. */
  readonly fallback: readonly string[];
  readonly temperature?: number;
  /** Limit for one answer, in tokens. */
  readonly maxTokens?: number;
}

export interface AgentRuntime {
  /** Default: chosen by the token budget. */
  readonly toolInjection?: InjectionMode;
  /** Default: the home's. */
  readonly preset?: 'lean' | 'full';
  /** Modules whose tools are always listed: in discovery mode, and with the preset `lean`. */
  readonly directModules: readonly string[];
  readonly watchers: boolean;
  readonly scheduler: boolean;
  /** Maximum number of model calls in one turn. */
  readonly maxRounds: number;
  /** Seconds for one turn, without the time that people take to answer. */
  readonly deadline: number;
  /** US dollars per day. Undefined: no limit of its own. */
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
  /** Name of the secret that the module's tools receive. */
  readonly credential: string | undefined;
}

/** Other members belong to the module and are checked against the schema that it declares. */
export interface ModuleConstraints {
  readonly allowed_actions?: readonly string[];
  readonly blocked_actions?: readonly string[];
  readonly [name: string]: unknown;
}

/** A rule of `permissions`: a tool's name with wildcards and, in brackets, which of its calls: "bash(git status *)". */
export interface PermissionRule {
  readonly text: string;
  /** Absolute path of the file that it is written in. */
  readonly file: string;
  /** The folder where its paths start, absolute. */
  readonly folder: string;
  /** The folder that `~` stands for, absolute. */
  readonly userHome: string;
}

/** Of all rules that match a call, those that deny come first, then those that ask. */
export interface PermissionRules {
  /** Calls that need no confirmation. */
  readonly allow: readonly PermissionRule[];
  /** Calls that need confirmation every time. */
  readonly ask: readonly PermissionRule[];
  /** Calls that are refused. */
  readonly deny: readonly PermissionRule[];
}

/** In the form of agent.yaml. */
export interface AgentHooks {
  readonly pre_tool?: readonly AgentHook[];
  readonly post_tool?: readonly AgentHook[];
}

export interface AgentHook {
  /** Glob patterns over tool ids or bare names. Default: all tools. */
  readonly match?: string | readonly string[];
  /** A shell command. Runs in the space's folder. */
  readonly command: string;
  /** Seconds. Default: 10. */
  readonly timeout?: number;
}

/** Instructions that an agent follows when they fit the task. Not a tool. */
export interface Skill {
  /** kebab-case, unique in its space. */
  readonly name: string;
  readonly description: string;
  /** Markdown. */
  readonly body: string;
  /** Absolute. */
  readonly path: string;
}

/** The files in `agent/` of a space that say who its agent is and whom it talks with. */
export const identityFiles = { soul: 'SOUL.md', identity: 'IDENTITY.md', user: 'USER.md' } as const;

/** Characters of each that a model gets, about 2,000 tokens: they go out with every request. */
export const maxIdentityLength = 8_000;

export type IdentityPart = keyof typeof identityFiles;

/** The texts of these files. Undefined when the file doesn't exist. */
export type Identity = { readonly [Part in IdentityPart]?: string };
