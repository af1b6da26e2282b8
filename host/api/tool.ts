import type { ModuleBlock } from './agent.ts';
import type { Ask } from './ask.ts';
import type { TurnContext } from './conversation.ts';
import type { ConfirmPolicy } from './dispatch.ts';
import type { McpClient, Peer } from './mcp/peer.ts';
import type { ModelUsage } from './model.ts';
import type { FileMentions } from './known-folders.ts';
import type { Attributed, Origin } from './provenance.ts';
import type { JsonObject, JsonSchema, MaybePromise, ToolOutput } from './result.ts';
import type { Logger } from './log.ts';
import type { Sandbox, SandboxRule } from './sandbox.ts';
import type { Scope, ToolSource } from './source.ts';
import type { Execution } from './mcp/tasks.ts';

/**
 * MCP's tool annotations. They never lower a confirmation that the tool itself wants. `readOnlyHint` says that it changes
 * nothing: without it the tool is asked about in a turn that has read what others wrote.
 */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

export interface ToolExample {
  readonly input: JsonObject;
  readonly output?: unknown;
}

/** The plain-data half: everything that a model, a listing or an MCP client may see. */
export interface ToolDefinition {
  /** Local to its module: "read". The registry qualifies it: "filesystem.read". */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** JSON Schema of the arguments; its root has type "object". */
  readonly parameters: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly JsonObject[];
  /** MCP's `execution`: with taskSupport "optional" or "required" clients that know tasks get a task at once. */
  readonly execution?: Execution;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly aliases?: readonly string[];
  /** Id of the tool that this one is under another name: a model is shown one of the two. */
  readonly sameAs?: string;
  readonly examples?: readonly ToolExample[];
  /** Name of an icon, or an emoji: for people, and searched. */
  readonly icon?: string;
  /** The command that it runs, as its file has it: for people. */
  readonly command?: string;
  /** Markdown for people. Models don't get to see it. */
  readonly documentation?: string;
  /** MCP's `_meta`, passed through. */
  readonly meta?: JsonObject;
}

/** Where a tool that runs others has the name and the arguments of one of them: names of its own parameters. */
export interface CarriedCall {
  /** The list of calls, where there may be several. Absent: `tool` and `args` are parameters themselves. */
  readonly in?: string;
  readonly tool: string;
  readonly args: string;
}

/** `Args` is what `parameters` admits; `Plan` is what `prepare` hands to `execute`. */
export interface Tool<Args = any, Plan = any> extends ToolDefinition {
  /** Seconds; 60 when absent. Time that a person takes to answer does not count. */
  readonly timeout?: number;
  /**
   * The clock of the turn that calls it stands still while it runs, and that of turns that wait for that one: `timeout`
   * alone limits it. For work that takes longer than a turn may, and of which a half is worth nothing.
   */
  readonly offTheClock?: boolean;
  /** Ask before every run. */
  readonly confirm?: boolean;
  /**
   * It changes what later turns believe or do. In a turn that has read what others wrote it is confirmed each time, as
   * are tools that ask anyway and those that are marked destructive; other tools that write may be allowed for the
   * conversation.
   */
  readonly guarded?: boolean | ((args: Args) => boolean);
  /** Names of the secrets that it is given when it runs: asked about until that is approved for its fingerprint. */
  readonly secrets?: () => readonly string[];
  /** Who writes what it returns, errors too, where that is neither the owner nor this home. */
  readonly untrusted?: Origin | ((args: Args) => Origin | undefined);
  /** Its results and `untrusted` say of themselves whose words they hold: a file counts as read only where these name it. */
  readonly knowsWhatItReads?: boolean;
  /** What the programs that it starts are confined to; stricter where its space, the acting agent or the home says so. */
  readonly sandbox?: SandboxRule;
  /** Changes whenever what the tool does may have changed. An approval holds for one fingerprint. */
  readonly fingerprint?: string;
  /** Where it is written, for diagnostics: a path, or "npm server 'everything'". */
  readonly origin?: string;
  /** Where its own definition names files: its command, its handler. Whoever acts for a model is asked before each change of them. */
  readonly mentions?: FileMentions;
  /** The calls of other tools among its arguments: these are shown and recorded without the secrets of those tools. */
  readonly carries?: readonly CarriedCall[];
  /** `false` when this source has checked the arguments itself or the receiver does (an MCP server with an odd schema). */
  readonly validateArguments?: boolean;
  /**
   * Its numbers may have more digits than JavaScript's: it hands them on as they were written, by `toJson` and
   * `writtenText`. Without this a call with such a number is refused.
   */
  readonly keepsNumbers?: boolean;
  /** `false` when its receiver is somebody else's: the arguments are checked, and reach it as they came. */
  readonly fillDefaults?: boolean;
  /** Pure and free of secrets: decides what exactly will run. Hooks and people judge its preview. Throws to refuse. */
  prepare?(args: Args, caller: Caller): MaybePromise<Prepared<Plan>>;
  /** Must stop when `call.signal` aborts. A throw becomes a failed result. */
  execute(args: Args, call: ToolCall<Args, Plan>): MaybePromise<ToolOutput>;
}

/** For whom a call is prepared, as in its CallRequest. */
export interface Caller {
  readonly caller: string;
  readonly scope: Scope;
  /** The turn of a conversation in which an agent calls, if one does. */
  readonly turn?: TurnContext;
  /** What the acting agent's file says of the tool's module, if it names it. */
  readonly module?: ModuleBlock | undefined;
  /** What programs that the call starts are to be confined to, if anything. */
  readonly sandbox?: Sandbox | undefined;
}

/** A secret that an agent's file names for a module. */
export interface Credential {
  /** Of the variable or secret: "DATABASE_TOKEN". */
  readonly name: string;
  readonly value: string;
}

/** Broader answers that a person may give when a call is asked about, for the rest of its conversation. */
export interface Allowances {
  /** What each of these answers allows: a key of the tool's choosing, such as a path. */
  readonly offered: Readonly<Partial<Record<'file' | 'folder' | 'conversation', string>>>;
  /** Any one of these keys, allowed before, answers the question of this call. */
  readonly coveredBy: readonly string[];
}

export interface Prepared<Plan = unknown> {
  /** The exact command or effect, for people and hooks: `bash scripts/deploy.sh 'main'`. Holds no secret. */
  readonly preview: string;
  /** Folder it runs in. */
  readonly cwd?: string;
  /** How the program that it starts is confined, or that it isn't: shown with the preview. */
  readonly confinement?: string;
  /** A reason to ask for confirmation although the tool as such doesn't: "writes .env". */
  readonly sensitive?: string;
  /**
   * Why a tool that only reads is asked about in a turn that has read what others wrote: it would tell somebody what the
   * model has put into its arguments, such as an address that stands nowhere in the conversation.
   */
  readonly tells?: { readonly reason: string; readonly allowances: Allowances };
  /** Where `sensitive`, or what the turn has read, may be answered for more than this call. Absent: each call is asked about. */
  readonly allowances?: Allowances;
  /** Seconds for this call, instead of the tool's. */
  readonly timeout?: number;
  readonly plan?: Plan;
}

export interface RegisteredTool extends Tool {
  /** Qualified name: "filesystem.read", "github.create_issue". */
  readonly id: string;
  /** What models and MCP clients call it: at most 49 characters of [A-Za-z0-9_-], unique in its snapshot. */
  readonly wireName: string;
  readonly source: ToolSource;
}

/** MCP's progress: `progress` grows; `total` in the same unit, when known. */
export interface Progress extends Attributed {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  /** MCP's `_meta`, passed through. */
  readonly meta?: JsonObject;
}

/** One call, as hooks and `execute` see it. */
export interface ToolCall<Args = unknown, Plan = unknown> {
  readonly id: string;
  readonly tool: RegisteredTool;
  readonly args: Args;
  readonly prepared: Prepared<Plan> | undefined;
  readonly scope: Scope;
  /** Who called: "cli", "mcp:claude-code". */
  readonly caller: string;
  /** What the acting agent's file says of the tool's module, if it names it. */
  readonly module?: ModuleBlock | undefined;
  /** What programs that it starts must be confined to, if anything: for `runProcess`. */
  readonly sandbox?: Sandbox | undefined;
  /** While executing: what the file names as the module's credential, looked up now. Throws PEG_MISSING_VARIABLE. */
  credential?(): Credential | undefined;
  readonly parent: ToolCall | undefined;
  /** The caller's, and while executing also the timeout's. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The caller's MCP `_meta`. */
  readonly meta: JsonObject | undefined;
  progress(progress: Progress): void;
  /** Says what a model used for this call: the audit keeps it. Turns that are begun with it as their `parent` do so themselves. */
  used?(usage: ModelUsage): void;
  /**
   * Says that others' words went into this call: its result is marked with who wrote them. Calls within it, and what is
   * marked in its result, count by themselves.
   */
  read?(origins: readonly Origin[]): void;
  /** Asks whoever is there. Time spent here does not count against the timeout. Nobody there: `{ action: 'decline' }`. */
  readonly ask: Ask;
  /** The caller's own policy of confirmation, if it set one. Calls that this one makes inherit it. */
  readonly confirm?: ConfirmPolicy | undefined;
  /** The MCP client that calls, if one does. Waiting for its answers does not count against the timeout either. */
  readonly peer?: Peer | undefined;
  /** Awaited before anything runs that may have an effect. Calls that this one makes inherit it. */
  readonly beforeEffect?: (() => Promise<void>) | undefined;
  /** The turn of a conversation in which an agent calls, if one does. */
  readonly turn?: TurnContext | undefined;
  /** Outside of turns: what "in this conversation" means, such as the session of an MCP client. */
  readonly conversation?: string | undefined;
  /** The MCP client that it comes from, however indirectly. */
  readonly client?: McpClient | undefined;
}
