import type { ModuleBlock } from './agent.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { JsonSchema, MaybePromise } from './result.ts';
import type { RegisteredTool, Tool } from './tool.ts';

/** In the order in which a bare name is looked up. */
export const sourceKinds = ['builtin', 'plugin', 'manifest', 'space', 'mcp'] as const;
export type SourceKind = (typeof sourceKinds)[number];

export interface Listing {
  readonly tools: readonly Tool[];
  readonly diagnostics?: readonly Diagnostic[];
}

/**
 * Everything that provides tools. Level-triggered: `watch` says "ask again", `list` says what is true.
 * `list` answers from what it knows and never waits for a network; it must not throw for one bad tool.
 */
export interface ToolSource {
  /** Unique in the host: "pack:filesystem", "space:example", "mcp:github". */
  readonly id: string;
  readonly kind: SourceKind;
  /** The first half of its tools' ids. */
  readonly module: string;
  /** What its tools are for, in a sentence; searched, and embedded for pack selection. */
  readonly description: string;
  /** Never deselected by relevance. */
  readonly alwaysLoad?: boolean;
  /** Its tools are for turns of this channel, "telegram", and not there elsewhere. */
  readonly channel?: string;
  /** The folder, file or configuration entry that it comes from, for diagnostics. */
  readonly origin?: string;
  /** What an MCP server says about the use of its tools, once that is approved. */
  readonly instructions?: string | undefined;
  /** What agents may say of the module in `tools.modules`. */
  readonly declares?: ModuleDeclaration;
  list(): MaybePromise<Listing>;
  /** Why a tool of that name isn't listed although it may be there; undefined: there is none. */
  whyMissing?(tool: string): Error | undefined;
  /** `changed` may be called at any time, also while `list` runs. */
  watch?(changed: () => void): Disposable;
  [Symbol.asyncDispose]?(): PromiseLike<void>;
}

/** JSON Schemas of objects. Absent: the module knows no such thing. */
export interface ModuleDeclaration {
  /** Settings that differ from agent to agent. */
  readonly config?: JsonSchema;
  /** Limits beyond `allowed_actions` and `blocked_actions`, which the module's tools hold themselves. */
  readonly constraints?: JsonSchema;
}

/** Glob patterns over ids ("filesystem.*") or bare names. `allowed` absent means everything. */
export interface Access {
  readonly allowed?: readonly string[];
  readonly blocked?: readonly string[];
}

/** On whose behalf a tool is looked up or run. */
export interface Scope {
  /** The host's own calls (the owner at the terminal, setup steps, hooks) are not subject to `access`. */
  readonly identity: 'agent' | 'host';
  /** The acting agent: "example", "example/reviewer". Its hooks judge the call. */
  readonly agent?: string;
  readonly access: Access;
  /**
   * Confines the scope further: each of these must admit a tool as well. It holds for everything that a call begins, also
   * for agents that have other rights by themselves.
   */
  readonly within?: readonly Access[];
  /** Where the turn comes from in which an agent calls: the source of its conversation. */
  readonly channel?: string;
  /** What the agent's file says of modules: their tools are all that it may use. Absent: every module. */
  readonly modules?: ReadonlyMap<string, ModuleBlock>;
  /** Patterns: tools that aren't asked about because of what the turn has read. */
  readonly allowUntrusted?: readonly string[];
}

/** What is registered at one moment. Immutable; a change makes a new one. */
export interface Snapshot {
  readonly version: number;
  /** By id, in the order of registration within the order of `sourceKinds`: stable from snapshot to snapshot. */
  readonly tools: ReadonlyMap<string, RegisteredTool>;
  readonly sources: readonly ToolSource[];
  readonly diagnostics: readonly Diagnostic[];
  /** Those of one of the sources. */
  diagnosticsOf(source: ToolSource): readonly Diagnostic[];
  /** By id, wire name, `module__tool`, `mcp__module__tool` or bare name. */
  find(name: string): RegisteredTool | undefined;
  /** Ids that `name` may have been meant to be, nearest first, at most three. */
  suggest(name: string): readonly string[];
}

export interface Swapped {
  /** One a source, in their order; disposing removes it. */
  readonly handles: readonly AsyncDisposable[];
  /** Resolves when the last call on the old sources has ended and they are closed. Never rejects. */
  readonly retired: Promise<void>;
}

/** Holds a tool's source open until disposed, so that a reload waits for calls in flight. */
export interface Lease extends Disposable {
  readonly tool: RegisteredTool;
}

export interface Registry {
  readonly snapshot: Snapshot;
  /** Resolves when the source's tools are registered. Disposing removes them at once and closes the source after its last call. */
  add(source: ToolSource): Promise<AsyncDisposable>;
  /** Swaps in one step: there is no snapshot without either of the two. Disposing the returned handle removes the new one. */
  replace(old: AsyncDisposable, source: ToolSource): Promise<AsyncDisposable>;
  /**
   * Several at once, and `commit` in the same step, for what has to change together with them. The new ones stand where
   * the old ones stood.
   */
  swap(
    old: readonly AsyncDisposable[],
    sources: readonly ToolSource[],
    commit?: () => void,
  ): Promise<Swapped>;
  /** Find and hold in one step. */
  acquire(name: string): Lease | undefined;
  onChange(listener: (snapshot: Snapshot) => void): Disposable;
  /** Resolves when the snapshot has what sources have announced so far. */
  settled(): Promise<void>;
}
