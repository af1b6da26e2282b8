import type { Kysely } from 'kysely';
import type { FileOrigins } from './store/file-origins.ts';
import type { Agent } from './agent.ts';
import type { Artifacts } from './store/artifacts.ts';
import type { Ask } from './ask.ts';
import type { Channel, Deliver, KnownChannel } from './channels/channel.ts';
import type { ChatCommands } from './channels/chat-commands.ts';
import type { Check } from './diagnostic.ts';
import type { ConversationKey, Converse, TurnHooks } from './conversation.ts';
import type { Dispatch } from './dispatch.ts';
import type { Engine } from './engine.ts';
import type { History } from './store/history.ts';
import type { HookSet } from './hooks.ts';
import type { Logger } from './log.ts';
import type { Model, ModelProvider, Speech } from './model.ts';
import type { FileMentions, ListedRoot, KnownFoldersFor } from './known-folders.ts';
import type { Falsy, JsonObject, MaybePromise } from './result.ts';
import type { KnownSecrets } from './store/secrets.ts';
import type { Added, Additions, Point } from './services/point.ts';
import type { Provided, Token, Use } from './services/token.ts';
import type { Registry, Scope, ToolSource } from './source.ts';
import type { Surroundings } from './surroundings.ts';
import type { RegisteredTool, Tool } from './tool.ts';
import type { UsageStats } from './store/usage.ts';

/** The default export of a plugin's module. Its id and requirements are declared in plugin.yaml. */
export interface Plugin<Config = JsonObject> {
  /** Returns everything that the plugin contributes; nothing else registers it. After a throw the previous instance keeps running. */
  setup(context: PluginContext<Config>): MaybePromise<Contributions | void>;
}

/** A source of tools of a plugin. The host says whose it is. */
export type LiveSource = Omit<ToolSource, 'id' | 'kind' | 'origin' | 'isMeta'>;

export interface Contributions {
  /** Tools by pack. Each pack must be declared in plugin.yaml. Falsy entries are skipped. */
  readonly packs?: { readonly [pack: string]: readonly (Tool | Falsy)[] };
  /** Sources whose tools change while the plugin runs. The module of each must be declared in plugin.yaml. */
  readonly sources?: readonly LiveSource[];
  /**
   * Tools that find or run others, by the rights of whoever calls them: every agent has them, and no search lists them. Each
   * must be declared in plugin.yaml.
   */
  readonly metaTools?: readonly (Tool | Falsy)[];
  /** Values that other plugins use, made with `provide`. Each must be declared in plugin.yaml. */
  readonly provides?: readonly Provided[];
  /** Entries of lists that other plugins read, made with `add`. Each point must be declared in plugin.yaml. */
  readonly points?: readonly Added[];
  readonly hooks?: HookSet;
  /** Hooks into turns of conversations. */
  readonly turn?: Partial<TurnHooks>;
  /** Started in order by a long-running host; on a reload, after the old ones have stopped. */
  readonly services?: readonly Service[];
  /** Channels that messages can be sent to, by name: "telegram". */
  readonly channels?: { readonly [name: string]: Channel };
  /** Model providers, by the part of a model's name before the slash: "mine" for "mine/large". */
  readonly models?: { readonly [provider: string]: ModelProvider };
  /** Folders outside the home that the owner has listed for the plugin's tools. */
  readonly roots?: () => readonly ListedRoot[];
  /** Texts in the plugin's data that mention files: schedules, watchers. */
  readonly mentions?: () => MaybePromise<readonly FileMentions[]>;
  /** Commands for `pegboard NAME …`, by the names declared in plugin.yaml: "memory why". */
  readonly commands?: { readonly [name: string]: PluginCommand };
  /** Checks for `pegboard doctor`: what the plugin is missing, and what its settings allow beyond the defaults. */
  readonly checks?: () => MaybePromise<readonly Check[]>;
  /**
   * Called after a new secret was removed from all tables. The plugin must remove it from its virtual tables, such as
   * full-text indexes. As a parameter of a statement the text has to be passed as bytes.
   */
  readonly onSecretScrubbed?: (secret: string) => MaybePromise<void>;
  /** How `pegboard move` takes the plugin's tables to another kind of database. */
  readonly moving?: Moving;
}

/** Rows are copied as they are, except what is said here. */
export interface Moving {
  /** Columns with ids of jobs: "dice_rolls.job". The copy has null in them, because queues are not copied. */
  readonly jobs?: readonly string[];
  /** Tables that are not copied, because `buildIndexes` makes their rows: full-text indexes, above all. */
  readonly indexes?: readonly string[];
  /**
   * Makes the rows of `indexes` in `to`, from what is in `from` and in the copied tables. It may have to do so again
   * after it was interrupted.
   */
  readonly buildIndexes?: (databases: MovedDatabases) => MaybePromise<void>;
}

export interface MovedDatabases {
  /** Only to be read. */
  readonly from: Kysely<any>;
  readonly to: Kysely<any>;
}

/** A background service that runs as long as the host: a poller, a scheduler. One-shot commands don't start services. */
export interface Service {
  readonly name: string;
  /** Resolves when the service runs. It must end when `signal` aborts; the returned resource is disposed then. */
  start(signal: AbortSignal): MaybePromise<Disposable | AsyncDisposable | void>;
}

/** Returns the exit code; nothing means 0. Throws a PegboardError for problems that the user can fix. */
export type PluginCommand = (call: CommandCall) => MaybePromise<number | void>;

export interface CommandCall {
  readonly words: readonly string[];
  /** The options declared in plugin.yaml: the text of an option with a value, true for a flag. */
  readonly options: { readonly [name: string]: string | true };
  /** Prints a line of the result. */
  out(line: string): void;
  /** Prints the single document of --json. */
  json(value: unknown): void;
  /** Shows `done` of `total` on a terminal. */
  progress(done: number, total: number, what: string): void;
  /** Absent where the command is not run on the command line. */
  readonly terminal?: CommandTerminal;
  /** The value of --agent. Absent: the owner calls. */
  readonly agent?: string;
  /** Absent: nobody can answer. */
  readonly ask?: Ask;
  readonly signal: AbortSignal;
}

export interface CommandTerminal {
  /** The scope of the caller. */
  readonly scope: Scope;
  /**
   * Calls a tool as `pegboard call` does, with these words and the command's --args, --yes and --json, and shows the result.
   * Returns the exit code.
   */
  callTool(tool: RegisteredTool, words: readonly string[], scope: Scope): Promise<number>;
}

export interface PluginContext<Config = JsonObject> {
  /** Of the plugin, as in plugin.yaml. */
  readonly id: string;
  /** The plugin's section of pegboard.yaml, validated against its schema, with defaults filled in. */
  readonly config: Config;
  readonly log: Logger;
  /** Aborts when this instance is retired. */
  readonly signal: AbortSignal;
  /** Absolute path of the home. */
  readonly home: string;
  /** Variables, folder, user and clock of the host: use these instead of those of the process. */
  readonly surroundings: Surroundings;
  /** Absolute path of the folder in which Pegboard is installed. */
  readonly installation: string;
  /** IANA name: "Europe/Berlin". */
  readonly timezone: string;
  /** The home is unknown to the user and only read: nothing of it may run. */
  readonly reading: boolean;
  /** True in `pegboard dev`. */
  readonly development: boolean;
  readonly artifacts: Artifacts;
  /** Records which files hold untrusted content. A plugin that writes such a file must note it here. */
  readonly fileOrigins: FileOrigins;
  readonly secrets: KnownSecrets;
  readonly history: History;
  readonly usage: UsageStats;
  readonly agents: AgentDirectory;
  /**
   * What another plugin provides: the first one that declares the token. In `setup` only for what a plugin of `requires`
   * provides.
   */
  use<T>(token: Token<T>): Use<T>;
  /** What plugins have added to a point. Its listeners end with this instance. */
  all<T>(point: Point<T>): Additions<T>;
  /** Where a caller may write: pass its `scope` and `workplace`, and the result to `judgeWrite`. */
  readonly knownFoldersFor: KnownFoldersFor;
  readonly registry: Registry;
  /** Runs tools for the host or for an agent, depending on `scope`. */
  readonly dispatch: Dispatch;
  readonly converse: Converse;
  /**
   * Queues of jobs that survive this process, shared by all hosts of the home; their jobs are stored in the database of
   * `database`. Names of queues and roles begin with the plugin's id: "dice.rolls". Throws PEG_DATABASE.
   */
  engine(): Promise<Engine>;
  /** Reloads all plugins and spaces from disk. Rejects with PEG_USAGE while `setup` runs. */
  reload(): Promise<Reloaded>;
  /** Makes the next message with this key begin a new conversation. The old one stays in the history. */
  startConversation(key: ConversationKey): Promise<void>;
  /** What people can type after a slash in every channel, such as `/compact`. */
  readonly chatCommands: ChatCommands;
  /**
   * A code that shows the page in the browser that its person is the owner: once, and within ten minutes. For a channel,
   * which knows its owner.
   */
  pageCode(): string;
  readonly deliver: Deliver;
  /** The channels of all plugins, each once. */
  readonly channels: readonly KnownChannel[];
  /**
   * Tells the owner how a service is doing: `pegboard start` prints it, and again when it changes. A later report with the
   * same name replaces it.
   */
  report(check: Check): void;
  /** The value of an environment variable or secret that plugin.yaml requires or lists as optional. */
  variable(name: string): string | undefined;
  /** The model with this name in pegboard.yaml. Throws PEG_NO_MODEL when there is none. */
  model(name: string): Promise<Model>;
  /** Returns one vector per text. Undefined when there are no embeddings or they fail. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[] | undefined>;
  readonly speech: Speech;
  /**
   * The plugin's own tables in the home's database. `migrations` are SQL scripts that run once each, in order, all or
   * nothing. Never change one that was released; append another. The names of tables, indexes, triggers and views begin
   * with the plugin's id or one of its packs' names, with `_` for `-`: `dice_rolls`. A migration that changes anything else
   * is undone. A plugin has one list of them: throws PEG_USAGE if it was called with other migrations before. With none,
   * returns the same database. A text alone is for SQLite: throws PEG_DATABASE in a home whose state is on Postgres.
   */
  database<Tables>(migrations: readonly PluginMigration[]): PluginDatabase<Tables>;
  /** Registers a resource to dispose, in reverse order, when this instance is retired. Returns its argument. */
  own<T extends Disposable | AsyncDisposable>(resource: T): T;
}

export interface Reloaded {
  /** The problems after the reload, as sentences. */
  readonly problems: readonly string[];
  /** What is new or changed and pending approval, as phrases. */
  readonly pending: readonly string[];
}

/** One change of a plugin's tables: for SQLite alone, or for each kind of database that a home may use. */
export type PluginMigration = string | { readonly sqlite: string; readonly postgres: string };

export interface PluginDatabase<Tables> {
  /** Whether something may be stored. Opens nothing. */
  isThere(): boolean;
  /** Opens and migrates the database on first use. Throws PEG_DATABASE. */
  open(): Promise<Kysely<Tables>>;
}

/** The agents of this home as their files are now. Ids are those of `Scope.agent`. Throws PEG_USAGE for an unknown id. */
export interface AgentDirectory {
  /** Without an id, the home's default agent. */
  agentFor(id: string | undefined): Agent;
  /** The scope in which the agent calls tools. */
  scopeFor(id: string | undefined): Scope;
  /**
   * Call it after the owner approved a text of an agent's identity. `write` puts it into the file. It is used from the
   * next message on, and needs no further approval, even in a space that somebody else wrote.
   */
  changeIdentity(
    agent: Agent,
    path: string,
    content: Uint8Array,
    write: () => Promise<unknown>,
  ): Promise<void>;
}
