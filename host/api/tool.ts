import type { ModuleBlock } from './agent.ts';
import type { Ask } from './ask.ts';
import type { TurnContext } from './conversation.ts';
import type { Checkpoint, ConfirmPolicy } from './dispatch.ts';
import type { McpClient, Peer } from './mcp/peer.ts';
import type { ModelUsage } from './model.ts';
import type { FileMentions, Workplace } from './known-folders.ts';
import type { Attributed, Origin } from './provenance.ts';
import type { JsonObject, JsonSchema, MaybePromise, ToolOutput } from './result.ts';
import type { Logger } from './log.ts';
import type { Sandbox, SandboxRule } from './sandbox.ts';
import type { Scope, ToolSource } from './source.ts';
import type { Execution } from './mcp/tasks.ts';

/**
 * MCP's tool annotations. They never remove a confirmation that the tool itself requires. A tool without `readOnlyHint`
 * needs confirmation in a turn that has read untrusted content.
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

/** The plain-data part of a tool: everything that a model, a listing or an MCP client may see. */
export interface ToolDefinition {
  /** Local to its module: "read". The registry qualifies it: "filesystem.read". */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** JSON Schema of the arguments; its root has type "object". */
  readonly parameters: JsonSchema;
  /**
   * JSON Schema of the structured content of its results; its root has type "object". Every result that isn't a failure
   * has structured content then. Models are not shown it with the tool.
   */
  readonly outputSchema?: JsonSchema;
  readonly annotations?: ToolAnnotations;
  readonly icons?: readonly JsonObject[];
  /** MCP's `execution`: with taskSupport "optional" or "required", clients that support tasks get a task at once. */
  readonly execution?: Execution;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly aliases?: readonly string[];
  /** Id of the tool of which this one is an alias. A model is shown only one of the two. */
  readonly sameAs?: string;
  readonly examples?: readonly ToolExample[];
  /** Name of an icon, or an emoji. Shown to people, and searched. */
  readonly icon?: string;
  /** The command that the tool runs, as written in its file. Shown to people. */
  readonly command?: string;
  /** Markdown for people. Not shown to models. */
  readonly documentation?: string;
  /** MCP's `_meta`, passed through. */
  readonly meta?: JsonObject;
}

/** Names the parameters in which a tool takes the name and arguments of another tool to call. */
export interface InnerCallParameters {
  /** The parameter with a list of calls. Absent: `tool` and `args` are parameters themselves. */
  readonly in?: string;
  readonly tool: string;
  readonly args: string;
}

/**
 * What the patterns of rules for a tool match. `command`: the commands of a shell command line. `path`: a file, by its
 * real path. `url`: the host of an address.
 */
export interface PermissionSubject {
  readonly kind: 'command' | 'path' | 'url';
  /** The argument that names it. `prepare` returns its path as `subject`; a command and an address are judged as given. */
  readonly argument: string;
  /** Of a folder the tool reads whatever is inside, so that a denied file below the folder denies the call. */
  readonly readsFolder?: boolean;
}

/** `Args` is the type that `parameters` describes; `Plan` is what `prepare` passes to `execute`. */
export interface Tool<Args = any, Plan = any> extends ToolDefinition {
  /** Seconds, without the time that people take to answer. Default: 60. */
  readonly timeout?: number;
  /**
   * Pauses the timeout of the calling turn, and of turns that wait for it, while the tool runs. Then only `timeout` limits
   * it. For work that takes longer than a turn may and is useless when half done.
   */
  readonly pausesTurnTimeout?: boolean;
  /** Require confirmation before every run, unless a rule of the owner allows the call. */
  readonly confirm?: boolean;
  /** What the patterns of permission rules match. Absent: an argument that the pattern names. */
  readonly permission?: PermissionSubject;
  /**
   * The tool changes what later turns know or do. In a turn that has read untrusted content it needs confirmation each
   * time, as do tools with `confirm` and destructive ones. Other tools that write may be allowed for the rest of the
   * conversation.
   */
  readonly guarded?: boolean | ((args: Args) => boolean);
  /** Names of the secrets that the tool receives. Needs approval once for each fingerprint. */
  readonly secrets?: () => readonly string[];
  /** Names of variables and secrets that it needs and that have neither a value nor a default now. */
  readonly unset?: () => readonly string[];
  /** The origin of its results and errors, unless that is the owner or this home. */
  readonly untrusted?: Origin | ((args: Args) => Origin | undefined);
  /** Its results and `untrusted` name all origins, so that a file counts as read only when they name it. */
  readonly tracksOrigins?: boolean;
  /** Its results, or the texts of them that this returns, are as others wrote them: addresses in them may be opened. */
  readonly relays?: boolean | ((structured: any, args: Args) => readonly string[]);
  /** It records what it changes in files with `ToolCall.recordChanges`. Other effects are named where a turn is undone. */
  readonly recordsChanges?: boolean;
  /** The sandbox of programs that it starts. Its space, the calling agent and the home can restrict it further. */
  readonly sandbox?: SandboxRule;
  /** Changes whenever what the tool does may have changed. An approval holds for one fingerprint. */
  readonly fingerprint?: string;
  /** Where the tool is defined, for diagnostics: a path, or "npm server 'everything'". */
  readonly origin?: string;
  /** Files that its definition mentions: its command, its handler. Agents need confirmation for each change of them. */
  readonly mentions?: FileMentions;
  /** Calls of other tools in its arguments. They are shown and recorded without the secrets of those tools. */
  readonly innerCalls?: readonly InnerCallParameters[];
  /** False when the source or the receiver validates the arguments itself (an MCP server with an odd schema). */
  readonly validateArguments?: boolean;
  /**
   * The tool preserves numbers with more digits than JavaScript's, by `toJson` and `writtenText`. Without this, a call with
   * such a number is refused.
   */
  readonly preservesNumbers?: boolean;
  /** False when the receiver is not part of this home: arguments are checked and passed on unchanged. */
  readonly fillDefaults?: boolean;
  /** Decides what exactly will run. Must be pure and must not use secrets. Hooks and people judge its preview. Throw to refuse the call. */
  prepare?(args: Args, caller: Caller): MaybePromise<Prepared<Plan>>;
  /** Must stop when `call.signal` aborts. A throw becomes a failed result. */
  execute(args: Args, call: ToolCall<Args, Plan>): MaybePromise<ToolOutput>;
}

/** The caller for whom a call is prepared, as in its CallRequest. */
export interface Caller {
  readonly caller: string;
  readonly scope: Scope;
  /** The agent's turn in which the call happens, if any. */
  readonly turn?: TurnContext | undefined;
  /** The entry for the tool's module in the calling agent's file, if any. */
  readonly module?: ModuleBlock | undefined;
  /** The sandbox for programs that the call starts, if any. */
  readonly sandbox?: Sandbox | undefined;
  /** Where the person works, if that is known. */
  readonly workplace?: Workplace | undefined;
  /** The calling MCP client, if any. */
  readonly peer?: Peer | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether a rule of the owner denies the file or folder at a real path to this tool, or to others that read files; of a
   * tool that runs commands, to any tool for files.
   */
  readonly isDenied?: ((path: string) => boolean) | undefined;
}

/** A secret that an agent's file names for a module. */
export interface Credential {
  /** The variable or secret: "DATABASE_TOKEN". */
  readonly name: string;
  readonly value: string;
}

/** Answers to a confirmation that also allow later calls of the same conversation. */
export interface Allowances {
  /** For each answer a key of the tool's choosing for what it allows, such as a path. */
  readonly offered: Readonly<Partial<Record<'file' | 'folder' | 'conversation', string>>>;
  /** The call needs no confirmation when any of these keys was allowed before. */
  readonly coveredBy: readonly string[];
}

export interface Prepared<Plan = unknown> {
  /** The exact command or effect, for people and hooks: `bash scripts/deploy.sh 'main'`. Contains no secrets. */
  readonly preview: string;
  /** The working directory. */
  readonly cwd?: string;
  /** How the program is sandboxed, or that it isn't. Shown with the preview. */
  readonly confinement?: string;
  /** Requires confirmation for this call, with the reason: "writes .env". No rule of the owner spares it. */
  readonly sensitive?: string;
  /** Requires confirmation for this call, with the reason, unless a rule of the owner allows it. */
  readonly confirm?: string;
  /** What permission rules judge instead of the argument that `permission` of the tool names: a file's real path. */
  readonly subject?: string;
  /** Whether a command, as words, of a line with others that rules allow needs no confirmation by itself. */
  readonly isFree?: (command: readonly string[]) => boolean;
  /**
   * Whether a word of a command line, in an absolute folder, names a file outside of the folders that the tool may use, or
   * one that a rule denies. No `*` of a rule stands for it. `at`: the command reads what is in a named folder now; what
   * ever was, of which only a file can be judged; or all that the repository there has in its index and last commits, or would take.
   */
  readonly outOfReach?: (
    word: string,
    folder: string,
    at?: 'now' | 'ever' | 'tracked',
  ) => 'outside' | 'denied' | undefined;
  /**
   * Why this read-only call needs confirmation in a turn that has read untrusted content: its arguments may disclose
   * something to an outsider, such as in a URL that doesn't appear in the conversation.
   */
  readonly discloses?: { readonly reason: string; readonly allowances: Allowances };
  /** Answers that cover more than this call. Absent: each call needs its own confirmation. */
  readonly allowances?: Allowances;
  /** Overrides the tool's timeout for this call. Seconds. */
  readonly timeout?: number;
  readonly plan?: Plan;
}

export interface RegisteredTool extends Tool {
  /** Qualified name: "filesystem.read", "github.create_issue". */
  readonly id: string;
  /** The name for models and MCP clients: at most 49 characters of [A-Za-z0-9_-], unique in its snapshot. */
  readonly wireName: string;
  readonly source: ToolSource;
}

/** MCP's progress: `progress` increases; `total` has the same unit and is absent when unknown. */
export interface Progress extends Attributed {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
  /** MCP's `_meta`, passed through. */
  readonly meta?: JsonObject;
}

/** Files that a call may change. */
export interface ChangedFiles {
  /** Absolute, with links resolved, except for a link that is changed itself. Of a folder, everything in it. */
  readonly paths: readonly string[];
  /** It may change others too: a program without a sandbox. */
  readonly elsewhere?: boolean;
}

/** One call, as hooks and `execute` see it. */
export interface ToolCall<Args = unknown, Plan = unknown> {
  readonly id: string;
  readonly tool: RegisteredTool;
  readonly args: Args;
  readonly prepared: Prepared<Plan> | undefined;
  readonly scope: Scope;
  /** Identifies the caller: "cli", "mcp:claude-code". */
  readonly caller: string;
  /** Where the person works, if that is known. */
  readonly workplace?: Workplace | undefined;
  /** The entry for the tool's module in the calling agent's file, if any. */
  readonly module?: ModuleBlock | undefined;
  /** The sandbox for programs that it starts, if any. Pass it to `runProcess`. */
  readonly sandbox?: Sandbox | undefined;
  /** Returns the current value of the module's credential. Only while executing. Throws PEG_MISSING_VARIABLE. */
  credential?(): Credential | undefined;
  readonly parent: ToolCall | undefined;
  /** Aborts with the caller's signal and, while executing, on timeout. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** As of `Caller`. A tool that lists a folder leaves out what is denied. */
  readonly isDenied?: (path: string) => boolean;
  /** The caller's MCP `_meta`. */
  readonly meta: JsonObject | undefined;
  progress(progress: Progress): void;
  /** Records model usage of this call in the audit. Turns with this call as their `parent` are recorded automatically. */
  recordUsage?(usage: ModelUsage): void;
  /** Records for how long, in milliseconds, this call has waited for a person. Questions by `ask` are counted already. */
  recordWait?(ms: number): void;
  /**
   * Records that this call has read untrusted content, so that its result is marked with the origins. Not needed for inner
   * calls or for origins already marked in the result.
   */
  recordOrigins?(origins: readonly Origin[]): void;
  /** Only while executing: runs `change`, records for undo what it does to these files, and settles like `change`. */
  recordChanges?<T>(files: ChangedFiles, change: () => Promise<T>): Promise<T>;
  /**
   * Asks a person: where the call comes from and, at the same time, everywhere else that can answer, such as the page in a
   * browser. The first answer counts. Doesn't count against the timeout. Resolves with `{ action: 'decline', unasked: true }`
   * when nobody can answer.
   */
  readonly ask: Ask;
  /** Somebody can be asked where the call comes from. */
  readonly isAttended: boolean;
  /** The caller's own confirmation policy, if any. Inherited by inner calls. */
  readonly confirm?: ConfirmPolicy | undefined;
  /** The calling MCP client, if any. Waiting for its answers doesn't count against the timeout either. */
  readonly peer?: Peer | undefined;
  /** Awaited before anything runs that may have an effect. Inherited by inner calls. */
  readonly beforeEffect?: (() => Promise<void>) | undefined;
  /** Of a call in a turn that can go on in another process. */
  readonly checkpoint?: Checkpoint | undefined;
  /** The agent's turn in which the call happens, if any. */
  readonly turn?: TurnContext | undefined;
  /** Outside of turns: the id of what counts as the conversation, such as an MCP session. */
  readonly conversation?: string | undefined;
  /** The MCP client that the call comes from, directly or indirectly. */
  readonly client?: McpClient | undefined;
}
