import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Artifacts } from '../../host/api/artifacts.ts';
import type { CallRequest } from '../../host/api/dispatch.ts';
import type { ToolResult } from '../../host/api/result.ts';
import type { Registry, Scope } from '../../host/api/source.ts';
import { silentLogger } from '../../host/core/log.ts';
import { createRedactor } from '../../host/core/redact.ts';
import { createDispatch } from '../../host/dispatch/dispatch.ts';
import { createHookTable } from '../../host/dispatch/hook-table.ts';
import { loadPlugins, type LoadedPlugins } from '../../host/plugins/load.ts';
import type { PluginSettings } from '../../host/plugins/manifest.ts';
import { createArtifacts } from '../../host/store/artifacts.ts';
import { hostScope } from '../../host/tools/access.ts';
import { createRegistry } from '../../host/tools/registry.ts';

export const agentScope: Scope = { identity: 'agent', agent: 'test', access: {} };

/** A home in a temporary folder, whose plugins and those of the package run as in a host. */
export interface PluginHome extends AsyncDisposable {
  readonly home: string;
  readonly plugins: LoadedPlugins;
  readonly registry: Registry;
  readonly artifacts: Artifacts;
  path(name: string): string;
  /** Calls as an agent unless `request` says otherwise. */
  call(name: string, args?: unknown, request?: Partial<CallRequest>): Promise<ToolResult>;
}

export interface PluginHomeOptions {
  /** Text by path relative to the home. */
  readonly files?: { readonly [path: string]: string | Buffer };
  readonly settings?: { readonly [id: string]: PluginSettings };
  readonly environment?: { readonly [name: string]: string | undefined };
}

export async function openPluginHome(options: PluginHomeOptions = {}): Promise<PluginHome> {
  const home = temporaryFolder(options.files);
  const artifacts = createArtifacts(join(home, 'data/artifacts'));
  const plugins = await loadPlugins({
    home,
    artifacts,
    log: silentLogger,
    settings: options.settings ?? {},
    environment: options.environment ?? process.env,
  });
  const registry = createRegistry(silentLogger);
  for (const { sources } of plugins.instances) for (const source of sources) await registry.add(source);
  const hooks = createHookTable(
    plugins.instances.map((instance) => instance.hooks),
    silentLogger,
  );
  const dispatch = createDispatch({
    registry,
    hooks: () => hooks,
    approvals: { isApproved: () => false, approve: async () => {} },
    artifacts,
    redactor: createRedactor(),
    confirmPolicy: () => 'manifest',
    outputLimit: () => 30_000,
    log: silentLogger,
  });
  return {
    home,
    plugins,
    registry,
    artifacts,
    path: (name) => join(home, name),
    call: (name, args = {}, request = {}) =>
      dispatch({ name, args, scope: agentScope, caller: 'test', ...request }),
    async [Symbol.asyncDispose]() {
      await plugins[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export function temporaryFolder(files: PluginHomeOptions['files'] = {}): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pegboard-')));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

export const owner: Partial<CallRequest> = { scope: hostScope, caller: 'cli' };
