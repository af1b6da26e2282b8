import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Agents } from './agent/agents.ts';
import { embedderOf } from './agent/models/embedder-settings.ts';
import type { Converse } from './api/conversation.ts';
import type { Dispatch } from './api/dispatch.ts';
import { brokenConfig, enabledServers, loadConfig } from './config.ts';
import { toFailure } from './core/errors.ts';
import { createHomeLogger, silentLogger } from './core/log.ts';
import { makeDataPrivate } from './core/private-data.ts';
import { localTimeZone } from './core/time-zone.ts';
import { packageRoot } from './core/paths.ts';
import { variables } from './core/variables.ts';
import { packVectors } from './search/pack-vectors.ts';
import { strictest } from './core/sandbox/rule.ts';
import { createRedactor } from './core/secrets/redact.ts';
import { isSecretName } from './core/secrets/secret-names.ts';
import { learnConfiguredSecrets, learnSurroundingSecrets } from './known-secrets.ts';
import { chatOfCall } from './dispatch/chat-of-call.ts';
import { createDispatch } from './dispatch/dispatch.ts';
import { createHookTable } from './dispatch/hook-table.ts';
import { agentTools } from './meta/agent-tools.ts';
import { createJobAnnouncer } from './meta/announce-jobs.ts';
import { describeEnd } from './meta/describe-job.ts';
import { createJobs } from './meta/jobs.ts';
import { createMetaSource } from './meta/source.ts';
import { createAskedReloads } from './plugins/asked-reloads.ts';
import { environmentOf } from './home-environment.ts';
import { notStarted, requireKnown, unknownHome } from './home-trust.ts';
import type { Host, HostOptions } from './host.ts';
import { createAskOthers } from './plugins/ask-others.ts';
import { channelsOf, createDeliver } from './plugins/deliver.ts';
import { tellLostQuestions } from './plugins/tell-lost-questions.ts';
import { openPlugins, type PluginSet } from './plugins/plugin-set.ts';
import { handlerCodeOf } from './plugins/space-code.ts';
import { checkTrust } from './plugins/trust.ts';
import { openStores } from './open-stores.ts';
import { payForEmbeddings } from './pay-for-embeddings.ts';
import { watchHome } from './reload.ts';
import { createSearch } from './search/search.ts';
import type { ManifestContext } from './sources/manifests/context.ts';
import { openPinStore } from './sources/mcp/pin-store.ts';
import { createServerSet, serverNamed } from './sources/mcp/server-set.ts';
import { agentScope } from './spaces/agent-scope.ts';
import { chooseSkills } from './spaces/choose-skills.ts';
import { withSkillList } from './spaces/list-skills.ts';
import { spaceSources } from './spaces/space-sources.ts';
import { acceptedElsewhere } from './spaces/pinned/accepted-elsewhere.ts';
import { createSpacePins } from './spaces/pinned/space-pins.ts';
import { openSpaces, type SpaceSet } from './spaces/space-set.ts';
import { createAudit } from './store/audit.ts';
import { openSecrets, syncFromEnvironment } from './store/secrets.ts';
import { createHistory } from './store/history.ts';
import { keepTidy } from './store/retention/keep-tidy.ts';
import { createPluginTables } from './store/plugin-tables.ts';
import { createUsage, type Usage } from './store/usage.ts';
import { createVectors } from './store/vectors.ts';
import { hostScope } from './tools/access.ts';
import { lookAlikeDiagnostics } from './tools/look-alikes.ts';
import { defaultOutputLimit } from './tools/output-limit.ts';
import { createRegistry } from './tools/registry.ts';
import { failedResult } from './tools/result.ts';
import { shownArguments } from './tools/shown-arguments.ts';
import { version } from './version.ts';
import { createPlaces } from './write-places.ts';

/**
 * Throws PEG_UNKNOWN_HOME, and PEG_CONFIG when pegboard.yaml is broken: a host must not run on settings that nobody
 * wrote.
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const { home, reading = false, environment: outer = process.env } = options;
  const environment = environmentOf(home, outer);
  if (!reading && !options.trustHome) await requireKnown(home);
  const mcp = reading ? 'off' : (options.mcp ?? 'on-demand');
  const data = (name: string): string => join(home, 'data', name);
  const wereLoose = reading ? [] : makeDataPrivate(home, options.stateFolder);
  const redactor = createRedactor();
  learnSurroundingSecrets(redactor, home, outer);
  const secrets = openSecrets(data('secrets/secrets.json'), {
    ...(environment['PEGBOARD_PASSPHRASE'] && { passphrase: environment['PEGBOARD_PASSPHRASE'] }),
    onValue: (name, value) => redactor.add(name, value, { isOwnersName: true }),
    onStored: async (value) => {
      const { takeBackSecret } = await import('./take-back-secret.ts');
      await takeBackSecret(value, { home, database, plugins: () => plugins.instances, redactor, log });
    },
  });
  const resolve = (name: string): string | undefined => environment[name] ?? secrets.get(name);
  const resolveForSpaces = (name: string): string | undefined => outer[name] ?? secrets.get(name);

  const timezone = environment['TIMEZONE'] || localTimeZone(environment);
  let loaded = await loadConfig(home, resolve);
  if (loaded.broken) throw brokenConfig(loaded);
  learnConfiguredSecrets(redactor, loaded.config, resolve);

  await using opened = new AsyncDisposableStack();
  const log = reading ? silentLogger : opened.use(createHomeLogger(home, (text) => redactor.text(text)));
  if (wereLoose.length > 0)
    log.warn('others on this machine could read or change what is remembered; that is over', {
      paths: wereLoose.slice(0, 20),
    });
  if (!reading)
    await syncFromEnvironment(secrets, environment).catch((cause: unknown) =>
      log.warn('EXT_ variables could not be stored as secrets', { cause }),
    );
  const { notice, stateFolder } = options;
  const stores = openStores(home, { redactor, log, notice, reading, stateFolder });
  const { questions, state, userState, approvals, trust, artifacts, fileOrigins } = stores;
  const database = opened.use(stores.database);
  const registry = createRegistry(log);
  // Only who needs it hears of a time zone that doesn't exist.
  let usage: Usage | undefined;
  const openUsage = (): Usage => (usage ??= createUsage(database, { timeZone: timezone }));
  const pay = payForEmbeddings(openUsage, () => loaded.config.models.spendPerDay);
  const cache = createVectors(database);
  const search = opened.use(createSearch(() => registry.snapshot, { cache, log, pay }));
  const { vectors } = search;
  const useEmbeddings = (): void => {
    if (!reading) search.useEmbeddings(embedderOf(loaded.config.models, variables(resolve), log));
  };
  useEmbeddings();
  const deliver = createDeliver(() => plugins.instances, redactor);
  const announcer = createJobAnnouncer({ store: stores.jobs, deliver, log });
  const jobs = createJobs({
    dispatch: (request) => dispatch(request),
    store: stores.jobs,
    oneShot: options.oneShot === true,
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

  const development = options.development ?? false;
  let agents: Promise<Agents> | undefined;
  /** Only who talks pays for the agents' code. */
  const openAgentsOnce = (): Promise<Agents> => (agents ??= openAgents());
  const converse: Converse = async (message) => {
    if (reading) throw unknownHome(home);
    const { ask, signal } = message;
    await spaces.setUp(spaces.agentFor(message.agent), { ...(ask && { ask }), ...(signal && { signal }) });
    return await (await openAgentsOnce()).converse(message);
  };
  const manifests: ManifestContext = {
    resolve,
    isSecret: (name) => isSecretName(name) || secrets.get(name) !== undefined,
    redactor,
    checkCode: () => {},
    checkPinned: () => {},
    runMcp: (server, tool, args, call) => serverNamed(servers, server).callTool(tool, args, call),
    fileOrigins,
  };
  const placesFor = createPlaces({
    home,
    registry,
    plugins: () => plugins.instances,
    agents: () => spaces.agents,
    agentFor: (id) => spaces.agentFor(id),
    servers: () => [...loaded.config.servers.values()].map(({ config }) => config),
    resolve,
  });
  const plugins: PluginSet = opened.use(
    await openPlugins({
      registry,
      trust,
      settings: loaded.config.plugins,
      environment,
      environmentOfSpaces: outer,
      reading,
      services: {
        home,
        installation: packageRoot,
        reload: async () => {
          await Promise.all([plugins.reload(), spaces.changed([join(home, 'spaces')])]);
          const { pendingIn } = await import('./approvals/pending-in-host.ts');
          return {
            problems: host.diagnostics
              .filter(({ severity }) => severity === 'error')
              .map(({ message }) => message),
            held: pendingIn(host).map(({ id, what }) => `${id} (${what.join(', ')})`),
          };
        },
        timezone,
        development,
        artifacts,
        fileOrigins,
        secrets,
        history: createHistory(database),
        get usage() {
          return openUsage();
        },
        agents: {
          agentFor: (id) => spaces.agentFor(id),
          scopeFor: (id) => agentScope(spaces.agentFor(id)),
          async changeIdentity({ folder }, path, content, write) {
            await pins.acceptFile(folder, path, content);
            await write();
            await spaces.changed([path]);
          },
        },
        placesFor,
        registry,
        dispatch: (request) => dispatch(request),
        converse,
        startConversation: async (key) => {
          await (await openAgentsOnce()).conversations.startNew(key);
        },
        deliver,
        channels: () => channelsOf(plugins.instances),
        model: async (name, plugin) => (await openAgentsOnce()).modelNamed(name, plugin),
        embed: (texts, signal) => vectors.of(texts, signal),
        log,
        manifests,
        resolve,
        resolveForSpaces,
        databaseOf: (plugin, migrations) => createPluginTables(database, plugin, migrations),
      },
    }),
  );

  const servers = opened.use(
    createServerSet(
      registry,
      async (name, config) => {
        const { createMcpSource } = await import('./sources/mcp/source.ts');
        return createMcpSource(name, config, {
          home,
          data: data('mcp'),
          pins: openPinStore(userState.serverPins),
          resolve,
          redactor,
          log,
          version,
          complete: async (turn, request) => (await openAgentsOnce()).complete(turn, request),
        });
      },
      { connect: mcp === 'connect', log },
    ),
  );
  const ofSpaces: ManifestContext = {
    ...manifests,
    resolve: resolveForSpaces,
    checkCode: (root) => {
      const manifest = handlerCodeOf(root);
      checkTrust(manifest, loaded.config.plugins[manifest.id], { trust, development });
    },
    checkPinned: (root, path) => pins.check(root, path),
  };
  const pins = createSpacePins(stores.spacePins, (space) => loaded.config.spaces[space]?.trusted);
  const spaces: SpaceSet = opened.use(
    await openSpaces({
      home,
      registry,
      dispatch: (request) => dispatch(request),
      environment: outer,
      resolve: resolveForSpaces,
      openSources: (space) => spaceSources(space, ofSpaces),
      pins,
      pluginFolders: () => plugins.instances.map(({ manifest }) => manifest.folder),
      log,
    }),
  );
  if (mcp !== 'off') await servers.apply(enabledServers(loaded.config));
  // Modules of what isn't started are not known.
  if (!reading) await spaces.checkModules();

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
  const elsewhere = { questions, others: createAskOthers(() => plugins.instances) };
  const runCall = createDispatch({
    audit,
    registry,
    hooks: () => hooks,
    approvals,
    elsewhere,
    artifacts,
    fileOrigins,
    redactor,
    confirmPolicy: () => loaded.config.confirm,
    provenanceRule: () => loaded.config.provenance,
    outputLimit: (takesLongTexts) =>
      loaded.config.outputLimit ?? (takesLongTexts ? Number.POSITIVE_INFINITY : defaultOutputLimit),
    resolve,
    sandbox: (tool, scope) => {
      const ofSpaces = spaces.sandboxesOf(tool.source.module, scope.agent);
      const sandbox = strictest([tool.sandbox, loaded.config.sandbox, ...ofSpaces], tool);
      return sandbox && placesFor(scope).then((places) => ({ ...sandbox, places }));
    },
    log,
  });
  const dispatch: Dispatch = async (request) => {
    if (reading) return failedResult(toFailure('authorize', unknownHome(home)));
    const result = await runCall(request);
    audit.flush();
    return result;
  };

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
      takeFinishedJobs: async (conversation) => (await stores.jobs.takeUntold(conversation)).map(describeEnd),
      embed: async (text) => (await vectors.of([text]))?.[0],
      packVectors: () => packVectors(registry.snapshot, vectors),
      modelsConfig: () => loaded.config.models,
      environment: variables(resolve),
      registry,
      dispatch,
      redactor,
      database,
      timezone,
      development,
      offline: reading,
      log,
    });
    for (const [name, value] of opening.models.secrets()) redactor.add(name, value);
    return opening;
  };
  opened.use(announcer);
  opened.use(jobs);
  opened.defer(async () => (await agents?.catch(() => undefined))?.[Symbol.asyncDispose]());

  const reloads = createAskedReloads(state, userState.approved, plugins);
  const takeAccepted = acceptedElsewhere(userState.approved, (names) =>
    spaces.changed(names.map((name) => join(home, 'spaces', name))),
  );
  const host: Host = {
    home,
    reading,
    version,
    get config() {
      return loaded.config;
    },
    registry,
    dispatch,
    search: search.tools,
    searchPrepared: () => search.prepared(),
    approvals,
    questions,
    secrets,
    servers,
    spaces,
    plugins,
    trust,
    offers: stores.offers,
    converse,
    agents: openAgentsOnce,
    tasks: jobs,
    announce: () => {
      announcer.announce();
      void tellLostQuestions({ questions, deliver, log });
    },
    askAboutHeld: async () => {
      const { askOwner } = await import('./approvals/ask-owner.ts');
      return askOwner({ host, elsewhere, log });
    },
    keepTidy: () => keepTidy({ home, database, retention: () => loaded.config.retention, log }),
    log,
    redact: (text) => redactor.text(text),
    get diagnostics() {
      return [
        ...loaded.diagnostics,
        ...(reading ? notStarted(loaded.config) : []),
        ...state.diagnostics,
        ...userState.approved.diagnostics,
        ...secrets.diagnostics,
        ...plugins.diagnostics,
        ...spaces.diagnostics,
        ...registry.snapshot.diagnostics,
        ...lookAlikeDiagnostics(registry.snapshot),
      ];
    },
    scopeFor: (name) => (name === undefined ? hostScope : agentScope(spaces.agentFor(name))),
    injectionFor: async (agent, how) => (await openAgentsOnce()).injectionFor(agent, how),
    askForReload: (plugin) => reloads.ask(plugin),
    reloadConfig: async () => {
      const next = await loadConfig(home, resolve);
      const before = loaded.config.spaces;
      loaded = next.broken ? { ...loaded, diagnostics: next.diagnostics, broken: true } : next;
      if (next.broken) return;
      learnConfiguredSecrets(redactor, next.config, resolve);
      useEmbeddings();
      if (!isDeepStrictEqual(before, next.config.spaces)) await spaces.changed([join(home, 'spaces')]);
      await plugins.apply(next.config.plugins);
      if (mcp !== 'off') await servers.apply(enabledServers(next.config));
    },
    onChange: (listener) => registry.onChange(listener),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
  if (options.watch && !reading) {
    const owners = {
      config: host.reloadConfig,
      spaces: (paths: readonly string[]) => spaces.changed(paths),
      plugins: (paths: readonly string[]) => plugins.changed(paths),
      state: () => reloads.take(),
      logins: () => servers.all.forEach((server) => server.loginMayHaveChanged()),
      approved: async () => {
        servers.all.forEach((server) => server.judgeAgain());
        await Promise.all([reloads.take(), takeAccepted()]);
      },
    };
    opened.use(watchHome(home, userState.folder, owners, log));
    opened.use(search.keepIndexed((listener) => registry.onChange(listener)));
  }
  const closing = opened.move();
  return host;
}
