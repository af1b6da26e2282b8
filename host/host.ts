import { join } from 'node:path';
import type { Diagnostic } from './api/diagnostic.ts';
import type { Dispatch } from './api/dispatch.ts';
import type { Logger } from './api/log.ts';
import type { Registry, Scope, Snapshot } from './api/source.ts';
import { loadConfig, type HostConfig, type LoadedConfig } from './config.ts';
import { PegboardError } from './core/errors.ts';
import { createHomeLogger } from './core/log.ts';
import { nearest } from './core/nearest.ts';
import { createRedactor } from './core/redact.ts';
import { createDispatch } from './dispatch/dispatch.ts';
import { createHookTable } from './dispatch/hook-table.ts';
import { loadPlugins, type LoadedPlugins } from './plugins/load.ts';
import { watchHome } from './reload.ts';
import { createKeywordSearch, type SearchTools } from './search/keywords.ts';
import type { ManifestContext } from './sources/manifests/context.ts';
import type { McpServerConfig } from './sources/mcp/config.ts';
import { createServerSet, type ServerSet } from './sources/mcp/server-set.ts';
import { createMcpSource, type McpSource } from './sources/mcp/source.ts';
import { spaceSources } from './spaces/space-sources.ts';
import { openSpaces, type SpaceSet } from './spaces/space-set.ts';
import { createApprovals, type StoredApprovals } from './store/approvals.ts';
import { createArtifacts } from './store/artifacts.ts';
import { openState } from './store/state.ts';
import { hostScope } from './tools/access.ts';
import { createRegistry } from './tools/registry.ts';
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
  readonly environment?: NodeJS.ProcessEnv;
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
  readonly servers: ServerSet;
  readonly spaces: SpaceSet;
  readonly plugins: LoadedPlugins;
  readonly log: Logger;
  /** Everything that is wrong in the home just now. */
  readonly diagnostics: readonly Diagnostic[];
  /** On whose behalf an agent's calls run; the owner's without a name. Throws PEG_USAGE for an unknown agent. */
  scopeFor(agent: string | undefined): Scope;
  /** Reads pegboard.yaml and .mcp.json again; when broken the last good configuration stays. */
  readonly reloadConfig: () => Promise<void>;
  /** After any change of tools or diagnostics. */
  onChange(listener: (snapshot: Snapshot) => void): Disposable;
}

/** Throws PEG_CONFIG when pegboard.yaml is broken: a host must not run on settings that nobody wrote. */
export async function createHost(options: HostOptions): Promise<Host> {
  const { home, mcp = 'on-demand', environment = process.env } = options;
  const data = (name: string): string => join(home, 'data', name);
  const resolve = (name: string): string | undefined => environment[name];

  let loaded = await loadConfig(home, resolve);
  if (loaded.broken) throw brokenConfig(loaded);

  await using opened = new AsyncDisposableStack();
  const redactor = createRedactor();
  const log = opened.use(createHomeLogger(home, (text) => redactor.text(text)));
  const state = openState(data('state.json'));
  const approvals = createApprovals(state);
  const artifacts = createArtifacts(data('artifacts'));
  const registry = createRegistry(log);

  const plugins = opened.use(
    await loadPlugins({ home, artifacts, log, settings: loaded.config.plugins, environment }),
  );
  for (const instance of plugins.instances)
    for (const source of instance.sources) opened.use(await registry.add(source));

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
  const spaces = opened.use(await openSpaces(home, registry, (space) => spaceSources(space, context)));
  if (mcp !== 'off') await servers.apply(enabledServers(loaded.config));

  let hooks = createHookTable([], log);
  const rebuildHooks = (): void => {
    hooks = createHookTable([...plugins.instances.map((instance) => instance.hooks), ...spaces.hooks], log);
  };
  rebuildHooks();
  opened.use(spaces.onChange(rebuildHooks));

  const dispatch = createDispatch({
    registry,
    hooks: () => hooks,
    approvals,
    artifacts,
    redactor,
    confirmPolicy: () => loaded.config.confirm,
    outputLimit: () => loaded.config.outputLimit,
    log,
  });

  const host: Host = {
    home,
    version,
    get config() {
      return loaded.config;
    },
    registry,
    dispatch,
    search: createKeywordSearch(() => registry.snapshot),
    approvals,
    servers,
    spaces,
    plugins,
    log,
    get diagnostics() {
      return [
        ...loaded.diagnostics,
        ...state.diagnostics,
        ...plugins.diagnostics,
        ...spaces.diagnostics,
        ...registry.snapshot.diagnostics,
      ];
    },
    scopeFor: (agent) => (agent === undefined ? hostScope : agentScope(spaces, agent)),
    reloadConfig: async () => {
      const next = await loadConfig(home, resolve);
      loaded = next.broken ? { ...loaded, diagnostics: next.diagnostics, broken: true } : next;
      if (!next.broken && mcp !== 'off') await servers.apply(enabledServers(next.config));
    },
    onChange: (listener) => registry.onChange(listener),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
  if (options.watch) {
    opened.use(watchHome(home, { config: host.reloadConfig, spaces: (paths) => spaces.changed(paths) }, log));
  }
  const closing = opened.move();
  return host;
}

function enabledServers({ servers }: HostConfig): ReadonlyMap<string, McpServerConfig> {
  const enabled = [...servers].filter(([, { config }]) => config.enabled !== false);
  return new Map(enabled.map(([name, { config }]) => [name, config]));
}

function serverNamed(servers: ServerSet, name: string): McpSource {
  const server = servers.get(name);
  if (server) return server;
  const [near] = nearest(
    name,
    servers.all.map(({ module }) => module),
  );
  const hint = near === undefined ? 'Add it with `pegboard mcp add`.' : `Did you mean "${near}"?`;
  throw new PegboardError('PEG_SERVER_UNAVAILABLE', `There is no MCP server "${name}" in this home. ${hint}`);
}

function agentScope(spaces: SpaceSet, name: string): Scope {
  const agent = spaces.agent(name);
  if (agent) return { identity: 'agent', agent: agent.id, access: { blocked: agent.blockedTools } };
  const names = spaces.agents.map(({ id }) => id);
  const [near] = nearest(name, names);
  const hint =
    near !== undefined
      ? ` Did you mean "${near}"?`
      : names.length > 0
        ? ` There are: ${names.join(', ')}.`
        : '';
  throw new PegboardError('PEG_USAGE', `There is no agent "${name}".${hint}`);
}

function brokenConfig({ diagnostics }: LoadedConfig): PegboardError {
  const { path, line, column, message, hint } = diagnostics.find(({ severity }) => severity === 'error')!;
  const place = [path, line, column].filter((part) => part !== undefined).join(':');
  return new PegboardError('PEG_CONFIG', `${place}: ${message}${hint === undefined ? '' : ` (${hint})`}`, {
    data: { diagnostics },
  });
}
