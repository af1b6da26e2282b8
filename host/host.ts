import type { Agents, InjectionOptions } from './agent/agents.ts';
import type { RunningTurns } from './agent/running-turns.ts';
import type { Hosts } from './compose/hosts.ts';
import type { Uploads } from './compose/uploads.ts';
import type { Converse } from './api/conversation.ts';
import type { Diagnostic } from './api/diagnostic.ts';
import type { Dispatch } from './api/dispatch.ts';
import type { Injection } from './api/injection.ts';
import type { Logger } from './api/log.ts';
import type { ClientTasks } from './api/mcp/tasks.ts';
import type { Registry, Scope, Snapshot } from './api/source.ts';
import type { Surroundings } from './api/surroundings.ts';
import type { HostConfig } from './config.ts';
import type { Rehearse } from './dispatch/rehearse.ts';
import type { PluginSet } from './plugins/plugin-set.ts';
import type { Reports } from './plugins/reports.ts';
import type { SearchTools } from './api/services/search.ts';
import type { ServerSet } from './sources/mcp/server-set.ts';
import type { SpaceSet } from './spaces/space-set.ts';
import type { StoredApprovals } from './store/owner/approvals.ts';
import type { Offers } from './store/owner/offers.ts';
import type { StoredQuestions } from './store/owner/questions.ts';
import type { SecretStore } from './store/secrets/secrets.ts';
import type { SharedServing } from './store/serving/shared-serving.ts';
import type { UsageRecords } from './store/usage/usage.ts';
import type { TrustStore } from './store/owner/trust.ts';

export interface HostOptions {
  /** An absolute path. It need not exist: then the host has only the built-in tools. */
  readonly home: string;
  /**
   * `connect`: start every MCP server now, in the background. `on-demand` (default): a server is started by the first
   * call of one of its tools, listed from its catalogue until then. `off`: none.
   */
  readonly mcp?: 'connect' | 'on-demand' | 'off';
  /** Apply changes of files while running. */
  readonly watch?: boolean;
  /** The host serves one command only: background work ends with it. */
  readonly oneShot?: boolean;
  /**
   * `all` (default): set up every plugin. `needed`: those on demand, which a call of another tool can do without, are left
   * for `setUpPlugins`, for a process that makes one call. `none`: all are left for it, for a process that has to work
   * whatever a plugin does.
   */
  readonly setUp?: 'all' | 'needed' | 'none';
  /** Plugins run without being trusted first, also after every change. */
  readonly development?: boolean;
  /** Variables for the configuration of the home; default: those of `surroundings`. */
  readonly environment?: Readonly<NodeJS.ProcessEnv>;
  /** Default: those of this process. */
  readonly surroundings?: Surroundings;
  /** The home is the program's own and may run. Without this, an unknown home is refused. */
  readonly trustHome?: boolean;
  /** For unknown homes: lists what exists, but starts nothing in the home, opens no connection and writes nothing. */
  readonly reading?: boolean;
  /** The folder for approvals in this home; default: the user's own state folder. */
  readonly stateFolder?: string;
  /** Called with what the owner should know at once; it is logged too. */
  readonly notice?: (message: string) => void;
}

/** A running host: the CLI, the servers and embedding programs all work through this. */
export interface Host extends AsyncDisposable {
  readonly home: string;
  readonly surroundings: Surroundings;
  /** The user's own folder for this home: approvals, sessions of the page. Absolute path. */
  readonly stateFolder: string;
  /** Nothing of the home runs. */
  readonly reading: boolean;
  readonly version: string;
  readonly config: HostConfig;
  /** A variable or secret with which models are chosen, such as a key. */
  readonly modelVariable: (name: string) => string | undefined;
  readonly registry: Registry;
  readonly dispatch: Dispatch;
  /** What would be decided about a call, without running it or its hooks. */
  readonly rehearse: Rehearse;
  readonly search: SearchTools;
  /** Resolves when search by meaning is ready or unavailable, or after 10 s. For a process that searches once. */
  searchPrepared(): Promise<void>;
  readonly approvals: StoredApprovals;
  /** Confirmations that are waiting in any process of this home. */
  readonly questions: StoredQuestions;
  readonly secrets: SecretStore;
  readonly servers: ServerSet;
  readonly spaces: SpaceSet;
  readonly plugins: PluginSet;
  /** What running services say of themselves. */
  readonly reports: Pick<Reports, 'all' | 'onReport'>;
  /** Sets up the deferred plugins: see `HostOptions.setUp`. */
  setUpPlugins(): Promise<void>;
  readonly trust: TrustStore;
  /** The processes that work on what waits in this home, and what waits. */
  readonly hosts: Hosts;
  readonly offers: Offers;
  /** One message to an agent, and its reply. Throws a PegboardError when no answer came, PEG_NO_MODEL without a model. */
  readonly converse: Converse;
  /** Conversations and agents, loaded when they are first needed. Throws PEG_CONFIG for an unknown time zone. */
  agents(): Promise<Agents>;
  /** Turns that run in this process. */
  readonly runningTurns: RunningTurns;
  /** Files that people have chosen, or attach to a message. */
  readonly uploads: Uploads;
  /** What models and tools were used for, and what it cost. */
  readonly usage: UsageRecords;
  /** What its MCP server has in common with those of other hosts; undefined where the state is a file. */
  sharedServing(): Promise<SharedServing | undefined>;
  /** Calls of MCP clients that run in the background. */
  readonly tasks: ClientTasks;
  /** For long-running hosts: reports background jobs and open questions of processes that have ended. Returns at once. */
  announce(): void;
  /** For long-running hosts: asks the owner about pending approvals, wherever they can be reached, until it is closed. */
  askAboutPending(): Promise<AsyncDisposable>;
  /** For long-running hosts: removes old data from `data/`, once a day in the background, until it is closed. */
  keepTidy(): AsyncDisposable;
  readonly log: Logger;
  /** Redacts every secret that is known so far; for everything that is shown. */
  redact(text: string): string;
  /** The same for every text in a JSON value. */
  redactIn<T>(value: T): T;
  /** All present problems in the home. */
  readonly diagnostics: readonly Diagnostic[];
  /** The scope of an agent's calls, or without a name that of the owner. Throws PEG_USAGE for an unknown agent. */
  scopeFor(agent: string | undefined): Scope;
  /** The tools and system prompt that an agent's model gets, and why; without a name, those of the default agent. Throws PEG_USAGE. */
  injectionFor(agent: string | undefined, options?: InjectionOptions): Promise<Injection>;
  /** Reloads a plugin here and in every running host of this home. */
  askForReload(plugin: string): Promise<void>;
  /** Reads the home's configuration again; when they are broken, the last valid configuration stays. */
  readonly reloadConfig: () => Promise<void>;
  /** After any change of tools or diagnostics. */
  onChange(listener: (snapshot: Snapshot) => void): Disposable;
}
