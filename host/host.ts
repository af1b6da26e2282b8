import { join } from 'node:path';
import type { Agents, InjectionOptions } from './agent/agents.ts';
import { embedderOf } from './agent/models/embedder-settings.ts';
import type { Converse } from './api/conversation.ts';
import type { Diagnostic } from './api/diagnostic.ts';
import type { Dispatch } from './api/dispatch.ts';
import type { Injection } from './api/injection.ts';
import type { Logger } from './api/log.ts';
import type { Registry, Scope, Snapshot } from './api/source.ts';
import { brokenConfig, enabledServers, loadConfig, type HostConfig } from './config.ts';
import { createHomeLogger } from './core/log.ts';
import { localTimeZone } from './core/time-zone.ts';
import { packageRoot } from './core/paths.ts';
import { variables } from './core/variables.ts';
import { packVectors } from './search/pack-vectors.ts';
import { createRedactor } from './core/redact.ts';
import { chatOfCall } from './dispatch/chat-of-call.ts';
import { createDispatch } from './dispatch/dispatch.ts';
import { createHookTable } from './dispatch/hook-table.ts';
import { agentTools } from './meta/agent-tools.ts';
import { createJobAnnouncer } from './meta/announce-jobs.ts';
import { describeJob } from './meta/describe-job.ts';
import { createJobs } from './meta/jobs.ts';
import { createMetaSource } from './meta/source.ts';
import { createDeliver } from './plugins/deliver.ts';
import { openPlugins, type PluginSet } from './plugins/plugin-set.ts';
import { watchHome } from './reload.ts';
import { createSearch } from './search/search.ts';
import type { SearchTools } from './search/search-tools.ts';
import type { ManifestContext } from './sources/manifests/context.ts';
import type { McpServerConfig } from './sources/mcp/config.ts';
import { createServerSet, serverNamed, type ServerSet } from './sources/mcp/server-set.ts';
import { createMcpSource, type McpSource } from './sources/mcp/source.ts';
import { agentScope } from './spaces/agent-scope.ts';
import { chooseSkills } from './spaces/choose-skills.ts';
import { withSkillList } from './spaces/list-skills.ts';
import { spaceSources } from './spaces/space-sources.ts';
import { openSpaces, type SpaceSet } from './spaces/space-set.ts';
import { createApprovals, type StoredApprovals } from './store/approvals.ts';
import { createAudit } from './store/audit.ts';
import { createArtifacts } from './store/artifacts.ts';
import { openSecrets, syncFromEnvironment, type SecretStore } from './store/secrets.ts';
import { createDatabase } from './store/database.ts';
import { databaseFileOf } from './store/database-file.ts';
import { createJobStore } from './store/jobs.ts';
import { createHistory } from './store/history.ts';
import { createOffers, type Offers } from './store/offers.ts';
import { createPluginTables } from './store/plugin-tables.ts';
import { openState, type State } from './store/state.ts';
import { createUsage } from './store/usage.ts';
import { createTrust, type TrustStore } from './store/trust.ts';
import { createVectors } from './store/vectors.ts';
import { hostScope } from './tools/access.ts';
import { createRegistry } from './tools/registry.ts';
import { shownArguments } from './tools/shown-arguments.ts';
import { version } from './version.ts';

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
  /** Plugins run without being trusted first, also after every change. */
  readonly development?: boolean;
  readonly environment?: NodeJS.ProcessEnv;
  /** Is told what the owner should know at once; the log has it too. */
  readonly notice?: (message: string) => void;
}

/** A running host: every face and every embedding program works through this. */
export interface Host extends AsyncDisposable {
  readonly home: string;
  readonly version: string;
  readonly config: HostConfig;
  readonly registry: Registry;
  readonly dispatch: Dispatch;
  readonly search: SearchTools;
  readonly approvals: StoredApprovals;
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
  /** Tells of background jobs of processes that are gone: for hosts that stay. Returns at once. */
  announceJobs(): void;
  readonly log: Logger;
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

/** Throws PEG_CONFIG when pegboard.yaml is broken: a host must not run on settings that nobody wrote. */
export async function createHost(options: HostOptions): Promise<Host> {
  const { home, mcp = 'on-demand', environment = process.env } = options;
  const data = (name: string): string => join(home, 'data', name);
  const redactor = createRedactor();
  const secrets = openSecrets(data('secrets/secrets.json'), {
    ...(environment['PEGBOARD_PASSPHRASE'] && { passphrase: environment['PEGBOARD_PASSPHRASE'] }),
    onValue: (name, value) => redactor.add(name, value),
  });
  const resolve = (name: string): string | undefined => environment[name] ?? secrets.get(name);

  let loaded = await loadConfig(home, resolve);
  if (loaded.broken) throw brokenConfig(loaded);

  await using opened = new AsyncDisposableStack();
  const log = opened.use(createHomeLogger(home, (text) => redactor.text(text)));
  await syncFromEnvironment(secrets, environment).catch((cause: unknown) =>
    log.warn('EXT_ variables could not be stored as secrets', { cause }),
  );
  const state = openState(data('state.json'));
  const approvals = createApprovals(state);
  const artifacts = createArtifacts(data('artifacts'));
  const registry = createRegistry(log);
  const database = opened.use(
    createDatabase(databaseFileOf(home), {
      restored: (message) => {
        log.warn(message);
        options.notice?.(message);
      },
    }),
  );
  const search = opened.use(createSearch(() => registry.snapshot, { cache: createVectors(database), log }));
  const { vectors } = search;
  const useEmbeddings = (): void =>
    search.useEmbeddings(embedderOf(loaded.config.models, variables(resolve), log));
  useEmbeddings();
  const deliver = createDeliver(() => plugins.instances);
  const jobStore = createJobStore(database);
  const announcer = createJobAnnouncer({ store: jobStore, deliver, log });
  const jobs = createJobs({
    dispatch: (request) => dispatch(request),
    store: jobStore,
    toRecord: (tool, args) => {
      const found = registry.snapshot.find(tool);
      return redactor.value(
        found ? shownArguments(found, args, (name) => registry.snapshot.find(name)) : args,
      );
    },
    log,
    chatOf(call) {
      const chat = chatOfCall(call);
      return plugins.instances.some(({ channels }) => chat && Object.hasOwn(channels, chat.channel))
        ? chat
        : undefined;
    },
    onEnd: () => announcer.announce(),
  });
  // First, so that their bare names are theirs.
  const metaSource = createMetaSource(
    {
      snapshot: () => registry.snapshot,
      search: search.tools,
      dispatch: (request) => dispatch(request),
    },
    agentTools({
      dispatch: (request) => dispatch(request),
      jobs,
      converse: (message) => converse(message),
      agents: () => spaces.agents,
      skills: ({ agent }) => spaces.skillsOf(spaces.agentFor(agent)),
    }),
  );
  opened.use(await registry.add(metaSource));

  const trust = createTrust(state);
  const timezone = environment['TIMEZONE'] || localTimeZone(environment);
  const development = options.development ?? false;
  let agents: Promise<Agents> | undefined;
  /** Only who talks pays for the agents' code. */
  const openAgentsOnce = (): Promise<Agents> => (agents ??= openAgents());
  const converse: Converse = async (message) => {
    const { ask, signal } = message;
    await spaces.setUp(spaces.agentFor(message.agent), { ...(ask && { ask }), ...(signal && { signal }) });
    return await (await openAgentsOnce()).converse(message);
  };
  const plugins: PluginSet = opened.use(
    await openPlugins({
      registry,
      trust,
      settings: loaded.config.plugins,
      environment,
      services: {
        home,
        installation: packageRoot,
        reload: async () => {
          await Promise.all([plugins.reload(), spaces.changed([join(home, 'spaces')])]);
          return host.diagnostics
            .filter(({ severity }) => severity === 'error')
            .map(({ message }) => message);
        },
        timezone,
        development,
        artifacts,
        secrets,
        history: createHistory(database),
        // Only who asks for it hears of a time zone that doesn't exist.
        get usage() {
          return createUsage(database, { timeZone: timezone });
        },
        agents: {
          agentFor: (id) => spaces.agentFor(id),
          scopeFor: (id) => agentScope(spaces.agentFor(id)),
        },
        registry,
        dispatch: (request) => dispatch(request),
        converse,
        startConversation: async (key) => {
          await (await openAgentsOnce()).conversations.startNew(key);
        },
        deliver,
        model: async (name) => (await openAgentsOnce()).modelNamed(name),
        embed: (texts, signal) => vectors.of(texts, signal),
        log,
        resolve,
        databaseOf: (plugin, migrations) => createPluginTables(database, plugin, migrations),
      },
    }),
  );

  const servers = opened.use(
    createServerSet(
      registry,
      (name: string, config: McpServerConfig): McpSource =>
        createMcpSource(name, config, { home, data: data('mcp'), resolve, redactor, log, version }),
      { connect: mcp === 'connect', log },
    ),
  );
  const context: ManifestContext = {
    resolve,
    redactor,
    runMcp: (server, tool, args, call) => serverNamed(servers, server).callTool(tool, args, call),
  };
  const spaces: SpaceSet = opened.use(
    await openSpaces({
      home,
      registry,
      dispatch: (request) => dispatch(request),
      environment,
      resolve,
      openSources: (space) => spaceSources(space, context),
      pluginFolders: () => plugins.instances.map(({ manifest }) => manifest.folder),
      log,
    }),
  );
  if (mcp !== 'off') await servers.apply(enabledServers(loaded.config));
  await spaces.checkModules();

  let hooks = createHookTable([], log);
  const rebuildHooks = (): void => {
    hooks = createHookTable([...plugins.instances.map((instance) => instance.hooks), ...spaces.hooks], log);
  };
  rebuildHooks();
  opened.use(spaces.onChange(rebuildHooks));
  opened.use(
    plugins.onChange(() => {
      rebuildHooks();
      spaces.changed([]).catch((cause: unknown) => log.error("plugins' skills could not be read", { cause }));
    }),
  );

  const audit = opened.use(createAudit(home, log));
  const dispatch = createDispatch({
    audit,
    registry,
    hooks: () => hooks,
    approvals,
    artifacts,
    redactor,
    confirmPolicy: () => loaded.config.confirm,
    outputLimit: () => loaded.config.outputLimit,
    resolve,
    log,
  });

  const openAgents = async (): Promise<Agents> => {
    const open = await import('./agent/agents.ts');
    const opening = open.openAgents({
      home,
      agentFor: (name) => {
        const agent = spaces.agentFor(name);
        return withSkillList(agent, spaces.skillsOf(agent));
      },
      scopeFor: agentScope,
      identityOf: (agent) => spaces.identityOf(agent),
      skillsFor: (agent, turn) => chooseSkills(spaces.skillsOf(agent), turn, (texts) => vectors.kept(texts)),
      turnHooks: () =>
        plugins.instances.map(({ manifest, turn }) => ({ name: `plugin ${manifest.id}`, hooks: turn })),
      takeFinishedJobs: async (conversation) => {
        const ended = await jobStore.takeUntold(conversation);
        return ended.map((job) =>
          job.result === undefined
            ? describeJob(job)
            : `${describeJob(job)}; background_run {"mode":"result","id":${job.id}} has what it returned`,
        );
      },
      embed: async (text) => (await vectors.of([text]))?.[0],
      packVectors: () => packVectors(registry.snapshot, vectors),
      modelsConfig: () => loaded.config.models,
      environment: variables(resolve),
      registry,
      dispatch,
      redact: (value) => redactor.value(value),
      database,
      timezone,
      development,
      log,
    });
    for (const [name, value] of opening.models.secrets()) redactor.add(name, value);
    return opening;
  };
  opened.use(announcer);
  opened.use(jobs);
  opened.defer(async () => (await agents?.catch(() => undefined))?.[Symbol.asyncDispose]());

  const host: Host = {
    home,
    version,
    get config() {
      return loaded.config;
    },
    registry,
    dispatch,
    search: search.tools,
    approvals,
    secrets,
    servers,
    spaces,
    plugins,
    trust,
    offers: createOffers(state),
    converse,
    agents: openAgentsOnce,
    announceJobs: () => announcer.announce(),
    log,
    get diagnostics() {
      return [
        ...loaded.diagnostics,
        ...state.diagnostics,
        ...secrets.diagnostics,
        ...plugins.diagnostics,
        ...spaces.diagnostics,
        ...registry.snapshot.diagnostics,
      ];
    },
    scopeFor: (name) => (name === undefined ? hostScope : agentScope(spaces.agentFor(name))),
    injectionFor: async (agent, how) => (await openAgentsOnce()).injectionFor(agent, how),
    askForReload: async (plugin) => {
      await state.update((now) => ({
        ...now,
        reloads: { ...now.reloads, [plugin]: new Date().toISOString() },
      }));
      await reloadAsked();
    },
    reloadConfig: async () => {
      const next = await loadConfig(home, resolve);
      loaded = next.broken ? { ...loaded, diagnostics: next.diagnostics, broken: true } : next;
      if (next.broken) return;
      useEmbeddings();
      await plugins.apply(next.config.plugins);
      if (mcp !== 'off') await servers.apply(enabledServers(next.config));
    },
    onChange: (listener) => registry.onChange(listener),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
  /** Plugins that were trusted or distrusted since, and those that somebody wants to be loaded anew. */
  let before = state.data;
  const reloadAsked = async (): Promise<void> => {
    state.reload();
    const now = state.data;
    const trustOf = ({ trusted }: State, id: string): string | undefined =>
      trusted.find((entry) => entry.id === id)?.hash;
    const concerned = plugins.states
      .map(({ manifest }) => manifest.id)
      .filter((id) => now.reloads[id] !== before.reloads[id] || trustOf(now, id) !== trustOf(before, id));
    before = now;
    await Promise.all(concerned.map((id) => plugins.reload(id)));
  };
  if (options.watch) {
    const owners = {
      config: host.reloadConfig,
      spaces: (paths: readonly string[]) => spaces.changed(paths),
      plugins: (paths: readonly string[]) => plugins.changed(paths),
      state: () => reloadAsked(),
    };
    opened.use(watchHome(home, owners, log));
  }
  const closing = opened.move();
  return host;
}
