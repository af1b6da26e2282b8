import type { FileOrigins } from './file-origins.ts';
import type { Kysely } from 'kysely';
import type { Agent } from './agent.ts';
import type { Artifacts } from './artifacts.ts';
import type { Ask } from './ask.ts';
import type { Channel, Deliver, KnownChannel } from './channel.ts';
import type { Check } from './check.ts';
import type { ConversationKey, Converse, TurnHooks } from './conversation.ts';
import type { Dispatch } from './dispatch.ts';
import type { History } from './history.ts';
import type { HookSet } from './hooks.ts';
import type { Logger } from './log.ts';
import type { Model, ModelProvider } from './model.ts';
import type { FileMentions, ListedRoot, KnownFolders } from './known-folders.ts';
import type { Falsy, JsonObject, MaybePromise } from './result.ts';
import type { Secrets } from './secrets.ts';
import type { Registry, Scope } from './source.ts';
import type { Tool } from './tool.ts';
import type { UsageStats } from './usage.ts';

/** What a plugin's module exports as default. Who it is and what it needs stands in its plugin.yaml. */
export interface Plugin<Config = JsonObject> {
  /** Returns everything that the plugin brings; nothing registers itself. Throwing keeps the previous instance in service. */
  setup(context: PluginContext<Config>): MaybePromise<Contributions | void>;
}

export interface Contributions {
  /** Tools by pack; each pack is declared in plugin.yaml. A falsy entry is a tool that isn't available here. */
  readonly packs?: { readonly [pack: string]: readonly (Tool | Falsy)[] };
  readonly hooks?: HookSet;
  /** What turns of conversations add to. */
  readonly turn?: Partial<TurnHooks>;
  /** Started, in order, by a host that runs for long; after a reload when the old ones have stopped. */
  readonly services?: readonly Service[];
  /** Places that messages can be sent to, by name: "telegram". */
  readonly channels?: { readonly [name: string]: Channel };
  /** Providers of models, by the name that stands before the slash: "mine" for "mine/large". */
  readonly models?: { readonly [provider: string]: ModelProvider };
  /** Folders beside the home that the owner has listed for its tools. */
  readonly roots?: () => readonly ListedRoot[];
  /** Where what it keeps names files: schedules, watchers. */
  readonly mentions?: () => MaybePromise<readonly FileMentions[]>;
  /** `pegboard NAME …`, by the names that plugin.yaml declares: "memory why". */
  readonly commands?: { readonly [name: string]: PluginCommand };
  /** What `pegboard doctor` says of it: what it misses, and what its settings allow beyond what it comes with. */
  readonly checks?: () => MaybePromise<readonly Check[]>;
  /**
   * A text that became known as a secret was taken out of all tables. What the plugin has of it in virtual tables, such as
   * full-text indexes, is its own to take out; as a parameter of a statement the text has to be bytes.
   */
  readonly onSecretScrubbed?: (secret: string) => MaybePromise<void>;
}

/** Runs as long as the host does: a poller, a scheduler. One-shot commands start none. */
export interface Service {
  readonly name: string;
  /** Resolves when it runs; must end when `signal` aborts. What it returns is closed then. */
  start(signal: AbortSignal): MaybePromise<Disposable | AsyncDisposable | void>;
}

/** Returns the exit code; nothing means 0. Throws PegboardError for what the user can mend. */
export type PluginCommand = (call: CommandCall) => MaybePromise<number | void>;

export interface CommandCall {
  readonly words: readonly string[];
  /** As declared in plugin.yaml: text of an option with a value, true for a flag. */
  readonly options: { readonly [name: string]: string | true };
  /** A line of the result. */
  out(line: string): void;
  /** With --json: the one document. */
  json(value: unknown): void;
  /** `done` of `total`, on a terminal. */
  progress(done: number, total: number, what: string): void;
  /** As --agent says; absent: the owner calls. */
  readonly agent?: string;
  /** Absent: nobody is there. */
  readonly ask?: Ask;
  readonly signal: AbortSignal;
}

export interface PluginContext<Config = JsonObject> {
  /** The plugin's part of pegboard.yaml, checked against its schema, defaults filled in. */
  readonly config: Config;
  readonly log: Logger;
  /** Aborts when this instance is retired. */
  readonly signal: AbortSignal;
  /** Absolute path of the home. */
  readonly home: string;
  /** Absolute path of the folder that Pegboard itself runs from. */
  readonly installation: string;
  /** IANA name: "Europe/Berlin". */
  readonly timezone: string;
  /** True while plugins are being developed: `pegboard dev`. */
  readonly development: boolean;
  readonly artifacts: Artifacts;
  /** Which files hold what others wrote: whoever puts such a file somewhere notes it. */
  readonly fileOrigins: FileOrigins;
  readonly secrets: Secrets;
  readonly history: History;
  readonly usage: UsageStats;
  readonly agents: AgentDirectory;
  /** Where whoever acts as `scope` says may write: for `judgeWrite`. */
  placesFor(scope: Scope): Promise<KnownFolders>;
  readonly registry: Registry;
  /** Runs tools on the host's own behalf or an agent's, as `scope` says. */
  readonly dispatch: Dispatch;
  readonly converse: Converse;
  /** Loads all plugins and everything in spaces anew from disk. Rejects with PEG_USAGE while `setup` runs. */
  reload(): Promise<Reloaded>;
  /** The next message of this key begins another conversation; what was said before stays in the history. */
  startConversation(key: ConversationKey): Promise<void>;
  readonly deliver: Deliver;
  /** Those that plugins know, each once. */
  readonly channels: readonly KnownChannel[];
  /** A variable of the host's environment that plugin.yaml requires or names as optional, or a secret of that name. */
  variable(name: string): string | undefined;
  /** By a model's name as in pegboard.yaml. Throws PEG_NO_MODEL where there is none. */
  model(name: string): Promise<Model>;
  /** One vector a text; undefined where there are no embeddings or they fail just now. */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[] | undefined>;
  /**
   * The plugin's own tables in the home's database. `migrations` are SQL scripts, run once each in their order, all or
   * nothing; never change one that was released. Tables are named after the plugin's packs.
   */
  database<Tables>(migrations: readonly string[]): PluginDatabase<Tables>;
  /** Closed in reverse order when this instance is retired. Returns its argument. */
  own<T extends Disposable | AsyncDisposable>(resource: T): T;
}

export interface Reloaded {
  /** What is wrong now, in sentences. */
  readonly problems: readonly string[];
  /** What is new or changed and not used until the owner has looked at it, in phrases. */
  readonly held: readonly string[];
}

export interface PluginDatabase<Tables> {
  /** Opened, and brought up to date, when it is first needed. Throws PEG_DATABASE. */
  open(): Promise<Kysely<Tables>>;
}

/** Who acts in this home, by ids as in `Scope.agent`; as the files say now. Both throw PEG_USAGE for an unknown one. */
export interface AgentDirectory {
  /** Without an id the home's default agent. */
  agentFor(id: string | undefined): Agent;
  /** What it may use. */
  scopeFor(id: string | undefined): Scope;
  /**
   * The owner has seen a text of an agent's identity, and agreed: `write` puts it into the file, and from the next
   * message on it is used, in a space of somebody else as well.
   */
  changeIdentity(
    agent: Agent,
    path: string,
    content: Uint8Array,
    write: () => Promise<unknown>,
  ): Promise<void>;
}
