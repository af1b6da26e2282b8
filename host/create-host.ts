import { createCalls } from './compose/calls.ts';
import { createConversationServices } from './compose/conversations.ts';
import { openFoundation, type Foundation } from './compose/foundation.ts';
import { createHostObject } from './compose/host-object.ts';
import { createRunningTurns } from './agent/running-turns.ts';
import { serverOpener } from './compose/server-opener.ts';
import { manifestContexts } from './compose/manifest-contexts.ts';
import { kernelTokens } from './compose/provided/tokens.ts';
import { pluginServices } from './compose/plugin-services.ts';
import { searchOf } from './compose/provided/search.ts';
import { once } from './core/async/once.ts';
import { isProjectHome } from './core/files/project.ts';
import { enabledServers } from './config.ts';
import type { Host, HostOptions } from './host.ts';
import { agentTools } from './meta/agent-tools.ts';
import { bridgeSource } from './sources/bridge/source.ts';
import { createMetaSource } from './meta/source.ts';
import type { Provided } from './api/services/token.ts';
import { createPluginSet, type PluginSet } from './plugins/plugin-set.ts';
import { createServerSet } from './sources/mcp/server-set.ts';
import { createSpacePins, type SpaceTrust } from './spaces/pinned/space-pins.ts';
import { createSpaceSet, type SpaceSet } from './spaces/space-set.ts';
import { spaceSources } from './spaces/space-sources.ts';

/**
 * The order in which a host starts. Parts that refer to each other are created first and empty, so that everything can be
 * used from the first line of a plugin's `setup` on; then spaces, plugins and servers are opened. Throws PEG_UNKNOWN_HOME,
 * and PEG_CONFIG when pegboard.yaml is broken: a host must not run on settings that nobody wrote.
 */
export async function createHost(options: HostOptions): Promise<Host> {
  const mcp = options.reading ? 'off' : (options.mcp ?? 'on-demand');
  await using opened = new AsyncDisposableStack();
  const foundation = await openFoundation(options, opened);
  const { home, reading, config, registry, redactor, log } = foundation;

  const pins = createSpacePins(foundation.spacePins, trustOfSpaces(foundation));
  const own = kernelTokens(foundation, {
    manifests: () => manifests.ofPlugins,
    roots: () => plugins.instances.flatMap((plugin) => plugin.roots()),
  });
  const plugins: PluginSet = opened.use(openPlugins(foundation, own));
  const search = searchOf(plugins, registry);
  const servers = opened.use(createServerSet(registry, { connect: mcp === 'connect', log }));
  const manifests = manifestContexts(foundation, { servers, plugins, pins });
  const spaces = opened.use(
    createSpaceSet({
      home,
      user: foundation.surroundings,
      registry,
      environment: foundation.outerEnvironment,
      resolve: foundation.resolveForSpaces,
      openSources: (space) => spaceSources(space, manifests.ofSpaces),
      pins,
      pluginFolders: () => plugins.instances.map(({ manifest }) => manifest.folder),
      log,
    }),
  );
  const runningTurns = createRunningTurns();
  const oneShot = options.oneShot === true;
  const reloadConfig = (): Promise<void> => host.reloadConfig();
  const calls = createCalls(foundation, { plugins, spaces, oneShot, reloadConfig }, opened);
  const conversationParts = { calls, plugins, spaces, search, running: runningTurns };
  const conversations = createConversationServices(foundation, conversationParts, opened);
  foundation.onSecretStored(async (value) => {
    const { scrubSecretFromHome } = await import('./compose/scrub-secret.ts');
    await plugins.complete();
    await scrubSecretFromHome(value, {
      home,
      database: foundation.database,
      plugins: () => plugins.instances,
      redactor,
      log,
    });
  });
  const closing = new AsyncDisposableStack();
  let deferred: (() => Promise<void>) | undefined;
  const setUpPlugins = async (): Promise<void> => await deferred?.();
  const usesServers = mcp !== 'off';
  const ofOwner = { setUpPlugins, manifests: manifests.ofPlugins };
  const parts = {
    calls,
    conversations,
    runningTurns,
    plugins,
    ...ofOwner,
    spaces,
    servers,
    search,
    usesServers,
  };
  const { host, followFiles } = createHostObject(foundation, parts, () => close(plugins, closing));

  const services = pluginServices(foundation, { ...parts, pins, host });

  const metaServices = { snapshot: () => registry.snapshot, search: search.tools, dispatch: calls.dispatch };
  // First, so that they get their bare names.
  const metaTools = createMetaSource(metaServices, [
    ...agentTools({
      dispatch: calls.dispatch,
      jobs: calls.jobs,
      converse: conversations.converse,
      agents: () => spaces.agents,
      skills: ({ agent }) => spaces.skillsOf(spaces.agentFor(agent)),
    }),
  ]);
  for (const source of [metaTools, bridgeSource]) opened.use(await registry.add(source));
  await spaces.open(calls.dispatch);
  await plugins.open(services, options.setUp);
  if (plugins.deferred.length === 0) await followPlugins(foundation, { plugins, spaces }, opened);
  else
    deferred = once(async () => {
      await plugins.complete();
      await followPlugins(foundation, { plugins, spaces }, closing);
      await spaces.checkModules();
    });
  if (usesServers) {
    await servers.open(serverOpener(foundation, parts), enabledServers(config.current.config));
  }
  // Modules of servers that aren't started are unknown.
  if (!reading && !deferred) await spaces.checkModules();
  if (options.watch && !reading) opened.use(followFiles());
  closing.use(opened.move());
  return host;
}

const openPlugins = (foundation: Foundation, own: readonly Provided[]): PluginSet => {
  const { home, registry, trust, development, reading, log, config } = foundation;
  const { plugins: settings, sections } = config.current.config;
  const { environment, outerEnvironment: environmentOfSpaces } = foundation;
  const options = { home, registry, trust, settings, sections, environment, environmentOfSpaces };
  return createPluginSet({ ...options, development, reading, log, own });
};

/** Reads the skills that plugins bring, now and after each change of them. */
async function followPlugins(
  { log }: Foundation,
  { plugins, spaces }: { readonly plugins: PluginSet; readonly spaces: SpaceSet },
  owner: AsyncDisposableStack,
): Promise<void> {
  await spaces.readSkills();
  owner.use(
    plugins.onChange(() => {
      spaces.changed([]).catch((cause: unknown) => log.error("plugins' skills could not be read", { cause }));
    }),
  );
}

/** Services first: a tool that waits for an answer in a turn of theirs would keep its source from closing. */
async function close(plugins: Pick<PluginSet, 'stopServices'>, others: AsyncDisposable): Promise<void> {
  await plugins.stopServices();
  await others[Symbol.asyncDispose]();
}

/** Whoever works on a project writes the spaces of its home, and its configuration. */
function trustOfSpaces({ home, surroundings, config }: Foundation): SpaceTrust {
  const isShared = isProjectHome(home, surroundings);
  return (space) => (isShared ? false : config.current.config.spaces[space]?.trusted);
}
