import { globSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { userStateFolder } from '../../../host/core/platform/places.ts';
import { processSurroundings } from '../../../host/core/platform/surroundings.ts';
import { createReports } from '../../../host/plugins/reports.ts';
import { manifestContext } from './manifest-context.ts';
import type { Artifacts } from '../../../host/api/store/artifacts.ts';
import type { CallRequest } from '../../../host/api/dispatch.ts';
import type { ToolResult } from '../../../host/api/result.ts';
import type { Registry, Scope } from '../../../host/api/source.ts';
import { silentLogger } from '../../../host/core/log.ts';
import { packageRoot } from '../../../host/core/files/paths.ts';
import { createRedactor } from '../../../host/core/secrets/redact.ts';
import { createDispatch } from '../../../host/dispatch/dispatch.ts';
import { createHookTable } from '../../../host/dispatch/hook-table.ts';
import { PegboardError } from '../../../host/core/errors.ts';
import { approveCode } from '../../../host/plugins/loading/approved-code.ts';
import { hashCode } from '../../../host/plugins/loading/folder-hash.ts';
import type { PluginServices } from '../../../host/plugins/context.ts';
import type { PluginSettings } from '../../../host/formats/config.ts';
import { hooksOf } from '../../../host/plugins/instance.ts';
import { createPluginSet, type PluginSet } from '../../../host/plugins/plugin-set.ts';
import { createArtifacts } from '../../../host/store/files/artifacts.ts';
import { createFileOrigins } from '../../../host/store/files/file-origins.ts';
import { createLazyEngine } from '../../../host/compose/lazy-engine.ts';
import type { History } from '../../../host/api/store/history.ts';
import { createHistory } from '../../../host/store/conversations/history.ts';
import { createPluginTables } from '../../../host/store/database/plugin-tables.ts';
import { openSecrets } from '../../../host/store/secrets/secrets.ts';
import { createUsage } from '../../../host/store/usage/usage.ts';
import { createTrust } from '../../../host/store/owner/trust.ts';
import { openUserState } from '../../../host/store/owner/user-state.ts';
import { hostScope } from '../../../host/tools/access.ts';
import { createRegistry } from '../../../host/tools/registry.ts';
import { databaseOf } from '../database.ts';

export const agentScope: Scope = { identity: 'agent', agent: 'test', access: {} };

/** A home in a temporary folder, with its plugins and those of the package running as in a host. */
export interface PluginHome extends AsyncDisposable {
  readonly home: string;
  readonly plugins: PluginSet;
  readonly registry: Registry;
  readonly artifacts: Artifacts;
  readonly history: History;
  path(name: string): string;
  /** From the current files. */
  trust(plugin: string): Promise<void>;
  /** Calls a tool, as an agent unless `request` overrides it. */
  call(name: string, args?: unknown, request?: Partial<CallRequest>): Promise<ToolResult>;
}

export interface PluginHomeOptions {
  /** Text by path relative to the home. */
  readonly files?: { readonly [path: string]: string | Buffer };
  readonly settings?: { readonly [id: string]: PluginSettings };
  readonly environment?: { readonly [name: string]: string | undefined };
  /** In addition to those of a home without models. */
  readonly services?: Partial<PluginServices>;
}

export async function openPluginHome(options: PluginHomeOptions = {}): Promise<PluginHome> {
  const home = temporaryFolder(options.files);
  const artifacts = createArtifacts(join(home, 'data/artifacts'));
  const environment = options.environment ?? process.env;
  const registry = createRegistry(silentLogger);
  const database = databaseOf(home);
  const engine = createLazyEngine(database, silentLogger);
  const history = createHistory(database);
  const secrets = openSecrets(join(home, 'data/secrets/secrets.json'), { onValue: () => {} });
  const dispatch = createDispatch({
    registry,
    hooks: () => createHookTable(plugins.instances.map(hooksOf), silentLogger),
    approvals: { isApproved: () => false, approve: async () => {} },
    artifacts,
    redactor: createRedactor(),
    confirmPolicy: () => 'manifest',
    outputLimit: () => 30_000,
    log: silentLogger,
  });
  const nobodyActs = (): never => {
    throw new PegboardError('PEG_USAGE', 'There are no agents.');
  };
  const nobody = (): Promise<never> =>
    Promise.reject(new PegboardError('PEG_NO_MODEL', 'There is no model.'));
  const trust = createTrust(openUserState(home, userStateFolder(processSurroundings())));
  const plugins = createPluginSet({
    home,
    registry,
    trust,
    settings: options.settings ?? {},
    sections: {},
    environment,
    environmentOfSpaces: environment,
    development: options.services?.development ?? true,
    log: options.services?.log ?? silentLogger,
    own: [],
  });
  await plugins.open({
    home,
    surroundings: processSurroundings(),
    installation: packageRoot,
    reload: () => Promise.resolve({ problems: [], pending: [] }),
    timezone: 'UTC',
    development: true,
    reading: false,
    reports: createReports(),
    artifacts,
    fileOrigins: createFileOrigins(home, processSurroundings()),
    secrets: Object.assign(secrets, { isIn: () => false }),
    manifests: manifestContext(),
    history,
    usage: createUsage(database, { timeZone: 'UTC' }),
    agents: { agentFor: () => nobodyActs(), scopeFor: () => agentScope, changeIdentity: nobody },
    knownFoldersFor: async () => ({
      home,
      installation: packageRoot,
      userHome: processSurroundings().userHome,
      userState: join(home, 'data/user'),
      workspaces: ['workspace', ...spaceNames(home)].map((name) => join(home, name)),
      roots: plugins.instances.flatMap((instance) => instance.roots()),
      named: [],
      dependencyFolders: [],
    }),
    registry,
    dispatch,
    engine: () => engine.open(),
    converse: nobody,
    startConversation: nobody,
    chatCommands: { list: [], run: nobody },
    pageCode: () => 'AAAA-BBBB',
    speech: { hears: false, transcribe: nobody, speaks: false, speak: nobody },
    use: (token, how) => plugins.use(token, how),
    all: (point) => plugins.all(point),
    deliver: nobody,
    channels: () => [],
    model: nobody,
    embed: () => Promise.resolve(undefined),
    log: silentLogger,
    resolve: (name) => environment[name] ?? secrets.get(name),
    resolveForSpaces: (name) => environment[name] ?? secrets.get(name),
    databaseOf: (owner, migrations) => createPluginTables(database, owner, migrations),
    ...options.services,
  });
  return {
    home,
    plugins,
    registry,
    artifacts,
    history,
    path: (name) => join(home, name),
    async trust(plugin) {
      const { manifest } = plugins.states.find((state) => state.manifest.id === plugin)!;
      await approveCode(trust, manifest, hashCode(manifest));
      await plugins.reload(plugin);
    },
    call: (name, args = {}, request = {}) =>
      dispatch({ name, args, scope: agentScope, caller: 'test', ...request }),
    async [Symbol.asyncDispose]() {
      await plugins[Symbol.asyncDispose]();
      await engine[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Workspaces of all spaces: the tests of plugins act in one at a time. */
const spaceNames = (home: string): readonly string[] =>
  globSync('spaces/*', { cwd: home }).map((space) => `${space}/workspace`);

export function temporaryFolder(files: PluginHomeOptions['files'] = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pegboard-')));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

export const owner: Partial<CallRequest> = { scope: hostScope, caller: 'cli' };
