import type { Agents, InjectionOptions } from './agent/agents.ts';
import type { Converse } from './api/conversation.ts';
import type { Diagnostic } from './api/diagnostic.ts';
import type { Dispatch } from './api/dispatch.ts';
import type { Injection } from './api/injection.ts';
import type { Logger } from './api/log.ts';
import type { ClientTasks } from './api/mcp/tasks.ts';
import type { Registry, Scope, Snapshot } from './api/source.ts';
import type { HostConfig } from './config.ts';
import type { PluginSet } from './plugins/plugin-set.ts';
import type { SearchTools } from './search/search-tools.ts';
import type { ServerSet } from './sources/mcp/server-set.ts';
import type { SpaceSet } from './spaces/space-set.ts';
import type { StoredApprovals } from './store/owner/approvals.ts';
import type { Offers } from './store/owner/offers.ts';
import type { StoredQuestions } from './store/owner/questions.ts';
import type { SecretStore } from './store/secrets/secrets.ts';
import type { TrustStore } from './store/owner/trust.ts';

export interface HostOptions {
  /** Absolute path. It need not exist: then the host has the built-in tools alone. */
  readonly home: string;
  /**
   * `connect`: start every MCP server now, in the background. `on-demand` (default): a server is started by the first
   * call of one of its tools, listed from its catalogue until then. `off`: none.
   */
  readonly mcp?: 'connect' | 'on-demand' | 'off';
  /** Take over changes of files while running. */
  readonly watch?: boolean;
  /** It is there for one command alone: what runs in the background ends with it. */
  readonly oneShot?: boolean;
  /** Plugins run without being trusted first, also after every change. */
  readonly development?: boolean;
  readonly environment?: NodeJS.ProcessEnv;
  /** The home is this program's own: what it brings along may run. Without it an unknown home is refused. */
  readonly trustHome?: boolean;
  /** Lists what there is, starts nothing of the home, opens no connection and writes nothing into it: for unknown homes. */
  readonly reading?: boolean;
  /** Where it is kept what was approved in this home; default: the user's own state folder. */
  readonly stateFolder?: string;
  /** Is told what the owner should know at once; the log has it too. */
  readonly notice?: (message: string) => void;
}

/** A running host: every face and every embedding program works through this. */
export interface Host extends AsyncDisposable {
  readonly home: string;
  /** Nothing of the home runs. */
  readonly reading: boolean;
  readonly version: string;
  readonly config: HostConfig;
  readonly registry: Registry;
  readonly dispatch: Dispatch;
  readonly search: SearchTools;
  /** For one search alone: resolves when tools are found by their meaning too, or can't be, or after 10 s. */
  searchPrepared(): Promise<void>;
  readonly approvals: StoredApprovals;
  /** Confirmations that wait, in any process of this home. */
  readonly questions: StoredQuestions;
  readonly secrets: SecretStore;
  readonly servers: ServerSet;
  readonly spaces: SpaceSet;
  readonly plugins: PluginSet;
  readonly trust: TrustStore;
  readonly offers: Offers;
  /** One message to an agent, and its reply. Throws a PegboardError when no answer came, PEG_NO_MODEL without a model. */
  readonly converse: Converse;
  /** What was said, and those who say it: loaded when they are first needed. Throws PEG_CONFIG for an unknown time zone. */
  agents(): Promise<Agents>;
  /** Calls of MCP clients that go on in the background. */
  readonly tasks: ClientTasks;
  /** Tells of background jobs and open questions of processes that are gone: for hosts that stay. Returns at once. */
  announce(): void;
  /** Asks the owner, wherever they can be reached, about what is held back, until it is closed: for hosts that stay. */
  askAboutHeld(): Promise<AsyncDisposable>;
  /** Removes what is old from `data/`, once a day and in the background, until it is closed: for hosts that stay. */
  keepTidy(): AsyncDisposable;
  readonly log: Logger;
  /** Takes out what is known as a secret by now: for everything that is shown. */
  redact(text: string): string;
  /** Everything that is wrong in the home just now. */
  readonly diagnostics: readonly Diagnostic[];
  /** On whose behalf an agent's calls run; the owner's without a name. Throws PEG_USAGE for an unknown agent. */
  scopeFor(agent: string | undefined): Scope;
  /** What an agent's model is sent of tools and system prompt, and why; without a name, the home's default agent's. Throws PEG_USAGE. */
  injectionFor(agent: string | undefined, options?: InjectionOptions): Promise<Injection>;
  /** Loads a plugin anew, here and in every running host of this home. */
  askForReload(plugin: string): Promise<void>;
  /** Reads pegboard.yaml and .mcp.json again; when broken the last good configuration stays. */
  readonly reloadConfig: () => Promise<void>;
  /** After any change of tools or diagnostics. */
  onChange(listener: (snapshot: Snapshot) => void): Disposable;
}
