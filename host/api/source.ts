import type { ModuleBlock, ModuleConstraints, PermissionRules } from './agent.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { JsonSchema, MaybePromise } from './result.ts';
import type { RegisteredTool, Tool } from './tool.ts';

/** In the order in which bare names are looked up. */
export const sourceKinds = ['builtin', 'plugin', 'manifest', 'space', 'mcp'] as const;
export type SourceKind = (typeof sourceKinds)[number];

export interface Listing {
  readonly tools: readonly Tool[];
  readonly diagnostics?: readonly Diagnostic[];
}

/**
 * Anything that provides tools. Level-triggered: `watch` signals that something changed, `list` returns the current state.
 * `list` answers from memory or disk and never waits for a network. It must not throw because of one bad tool.
 */
export interface ToolSource {
  /** Unique in the host: "pack:filesystem", "space:example", "mcp:github". */
  readonly id: string;
  readonly kind: SourceKind;
  /** The first half of its tools' ids. */
  readonly module: string;
  /** The purpose of its tools in one sentence. Searched, and embedded for pack selection. */
  readonly description: string;
  /** The names of its tools that the preset `lean` lists. Absent: all of them. */
  readonly lean?: readonly string[];
  /** Never deselected by relevance. */
  readonly alwaysLoad?: boolean;
  /** Its tools find or run others by the rights of their caller, so access to them is never limited. Set by the host. */
  readonly isMeta?: boolean;
  /** Its tools are available only in turns of this channel: "telegram". */
  readonly channel?: string;
  /** The folder, file or configuration entry that defines it, for diagnostics. */
  readonly origin?: string;
  /** An MCP server's instructions, once they are approved. */
  readonly instructions?: string | undefined;
  /** The settings that agents may give for the module in `tools.modules`. */
  readonly declares?: ModuleDeclaration;
  list(): MaybePromise<Listing>;
  /** Why a tool isn't listed although it may exist. Undefined: there is no such tool. */
  whyMissing?(tool: string): Error | undefined;
  /** `changed` may be called at any time, even while `list` runs. */
  watch?(changed: () => void): Disposable;
  [Symbol.asyncDispose]?(): PromiseLike<void>;
}

/** JSON Schemas of objects. Absent: the module has no such settings. */
export interface ModuleDeclaration {
  /** Settings for each agent. */
  readonly config?: JsonSchema;
  /** Limits beyond `allowed_actions` and `blocked_actions`, enforced by the module's tools. */
  readonly constraints?: JsonSchema;
}

/** Glob patterns over ids ("filesystem.*") or bare names. Without `allowed` everything is allowed. */
export interface Access {
  readonly allowed?: readonly string[];
  readonly blocked?: readonly string[];
}

/** What limits a scope beside its own rights: a preset, `context.tools`, or a caller that handed work over. */
export interface Limits extends Access {
  /** The agent that handed work over. Its hooks and the home's rules for it apply too. */
  readonly agent?: string;
  /** By module: only tools of these, within their constraints. */
  readonly modules?: Readonly<Record<string, ModuleConstraints>>;
  /** The rules of the file of `agent`, of which those that ask and deny apply. */
  readonly permissions?: PermissionRules;
  /** As in `Scope`: a tool is exempt only if each agent exempts it. */
  readonly allowUntrusted?: readonly string[];
}

/** The identity and rights with which a tool is looked up or run. */
export interface Scope {
  /** The host's own calls (the owner at the terminal, setup steps, hooks) are not subject to `access`. */
  readonly identity: 'agent' | 'host';
  /** The calling agent: "example", "example/reviewer". Its hooks judge the call. */
  readonly agent?: string;
  readonly access: Access;
  /**
   * Restricts the scope further: each of these must admit a tool as well. Applies to everything that a call starts, even
   * to agents that have more rights of their own, and to what they leave for later. Plain JSON.
   */
  readonly within?: readonly Limits[];
  /** The channel of the agent's turn: the source of its conversation. */
  readonly channel?: string;
  /** The modules of the agent's file. Only their tools may be used. Absent: every module. */
  readonly modules?: ReadonlyMap<string, ModuleBlock>;
  /** Patterns of tools that need no confirmation after the turn has read untrusted content. */
  readonly allowUntrusted?: readonly string[];
  /** The rules of the agent's file, in addition to those of the home. */
  readonly permissions?: PermissionRules;
}

/** Tools of one module that aren't listed, because what provides them doesn't run. */
export interface AbsentTools {
  readonly module: string;
  /** Bare names. Absent: nobody knows them. */
  readonly names?: readonly string[];
  /** The error of a call; `name` is what the caller wrote. */
  readonly why: (name: string) => Error;
}

/** The registered tools at one moment. Immutable: a change creates a new snapshot. */
export interface Snapshot {
  readonly version: number;
  /** By id, in the order of registration within the order of `sourceKinds`: stable from snapshot to snapshot. */
  readonly tools: ReadonlyMap<string, RegisteredTool>;
  readonly sources: readonly ToolSource[];
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostics of one source. */
  diagnosticsOf(source: ToolSource): readonly Diagnostic[];
  /** By id, wire name, `module__tool`, `mcp__module__tool` or bare name. */
  find(name: string): RegisteredTool | undefined;
  /** At most three ids that are similar to `name`, nearest first. */
  suggest(name: string): readonly string[];
  /** What is not listed at present, and why. */
  readonly absent: () => readonly AbsentTools[];
}

export interface Swapped {
  /** One per source, in their order. Disposing a handle removes the source. */
  readonly handles: readonly AsyncDisposable[];
  /** Resolves when the old sources are closed, after their last call. Never rejects. */
  readonly retired: Promise<void>;
}

/** Keeps a tool's source open until it is disposed, so that a reload waits for calls in flight. */
export interface Lease extends Disposable {
  readonly tool: RegisteredTool;
}

export interface Registry {
  readonly snapshot: Snapshot;
  /** Resolves when the source's tools are registered. Disposing removes them at once and closes the source after its last call. */
  add(source: ToolSource): Promise<AsyncDisposable>;
  /** Replaces a source in one step, without a snapshot that has neither. Disposing the returned handle removes the new source. */
  replace(old: AsyncDisposable, source: ToolSource): Promise<AsyncDisposable>;
  /**
   * Replaces several sources in one step and calls `commit` in that step, for state that has to change together with them.
   * The new sources take the positions of the old ones.
   */
  swap(
    old: readonly AsyncDisposable[],
    sources: readonly ToolSource[],
    commit?: () => void,
  ): Promise<Swapped>;
  /** Finds a tool and leases its source in one step. */
  acquire(name: string): Lease | undefined;
  /** `find` is called whenever a tool isn't found. */
  explainAbsent(find: () => readonly AbsentTools[]): Disposable;
  onChange(listener: (snapshot: Snapshot) => void): Disposable;
  /**
   * Resolves when the snapshot includes all changes announced so far. A source that was removed is no longer part of it, so
   * its closing and its last listing are not waited for: `swap` and the handle's disposal do that.
   */
  settled(): Promise<void>;
}
