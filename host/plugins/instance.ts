import type { Contributions, Plugin } from '../api/plugin.ts';
import type { JsonObject } from '../api/result.ts';
import { openDeadline, untilAborted } from '../core/async/deadline.ts';
import type { HookOwner } from '../dispatch/hook-table.ts';
import { createContext, type OwnTables, type PluginServices } from './context.ts';
import { checkContributions, type CheckedContributions } from './kinds/contributions.ts';
import type { ManifestSource } from '../sources/manifests/files/directory.ts';
import { manifestToolsOf } from './manifest-tools.ts';
import type { PluginManifest } from './loading/manifest.ts';
import { createPluginGuard, type PluginGuard } from './plugin-guard.ts';

/** Seconds that a plugin's module and its `setup` may take together. */
const setupTimeoutSeconds = 10;

/** One generation of a plugin. Disposing it aborts its signal and closes what it owns; its sources end their calls first. */
export interface PluginInstance extends CheckedContributions, AsyncDisposable {
  readonly manifest: PluginManifest;
  readonly guard: PluginGuard;
  readonly manifestTools: ManifestSource | undefined;
  /** Undefined while it has asked for none. */
  readonly tables: () => OwnTables | undefined;
}

/** Its hooks into calls. */
export const hooksOf = ({ manifest, hooks }: PluginInstance): HookOwner => ({
  name: `plugin ${manifest.id}`,
  hooks,
});

/** Loads a plugin and runs its `setup`. When that fails or takes too long, rejects and disposes what the plugin opened. */
export async function startPlugin(
  manifest: PluginManifest,
  load: () => Promise<Plugin>,
  config: JsonObject,
  services: PluginServices,
): Promise<PluginInstance> {
  const owned = createContext(manifest, config, services);
  const guard = createPluginGuard(manifest, owned.context);
  const close = async (): Promise<void> => {
    guard.call(() => owned.retire());
    await owned[Symbol.asyncDispose]();
  };
  try {
    const { clock } = services.surroundings;
    using deadline = openDeadline(setupTimeoutSeconds * 1000, undefined, clock);
    const setUp = async (): Promise<Contributions | void> => {
      const plugin = await load();
      deadline.signal.throwIfAborted();
      return plugin.setup(owned.context);
    };
    const inTime = (): Promise<Contributions | void> => untilAborted(setUp(), deadline.signal);
    const contributions = (await guard.setUp(inTime)) ?? {};
    owned.started();
    const checked = checkContributions(manifest, contributions, { guard, clock });
    const manifestTools = manifestToolsOf(manifest, services.manifests);
    return {
      ...checked,
      manifest,
      guard,
      toolSources: [...checked.toolSources, ...(manifestTools ? [manifestTools] : [])],
      manifestTools,
      tables: owned.tables,
      [Symbol.asyncDispose]: close,
    };
  } catch (cause) {
    await close();
    throw cause;
  }
}
