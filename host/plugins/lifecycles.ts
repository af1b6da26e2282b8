import type { Diagnostic } from '../api/diagnostic.ts';
import type { Logger } from '../api/log.ts';
import { buildPlugin, type BuildPolicy, type BuiltPlugin } from './build-plugin.ts';
import type { PluginServices } from './context.ts';
import type { PluginCatalog } from './loading/catalog.ts';
import type { PluginManifest } from './loading/manifest.ts';
import type { PluginSettings } from '../formats/config.ts';
import { isUntrusted, stateOf, toProblem, type PluginProblem, type PluginState } from './plugin-state.ts';
import { createRerunQueue } from '../core/async/rerun-queue.ts';
import type { RunningPlugins } from './running-plugins.ts';

/** Starts, reloads and stops each plugin on its own, so that none waits for another that it doesn't require. */
export interface Lifecycles {
  /** Builds the plugins in parallel and adds them in the order of `ids`, so that the order of tools is stable. */
  start(ids: readonly string[]): Promise<void>;
  /** Brings plugins in line with their files and settings. Never rejects. */
  refresh(ids: Iterable<string>): Promise<void>;
  settled(): Promise<void>;
  stateOf(manifest: PluginManifest): PluginState;
  /** Why plugins did not start. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What the plugin set shares with the lifecycles; its functions return the current values. */
interface Shared {
  readonly catalog: PluginCatalog;
  readonly running: RunningPlugins;
  readonly settingsOf: (manifest: PluginManifest) => PluginSettings | undefined;
  readonly services: () => PluginServices;
  readonly announce: () => void;
}

export function createLifecycles(
  { catalog, running, settingsOf, services, announce }: Shared,
  options: BuildPolicy & { readonly log: Logger },
): Lifecycles {
  const { trust, log } = options;
  const generations = new Map<string, number>();
  const problems = new Map<string, PluginProblem>();
  /** During `start`: resolves when the plugins before this one have been added. */
  const turns = new Map<string, Promise<void>>();

  const isEnabled = (one: PluginManifest): boolean => settingsOf(one)?.enabled !== false;
  const build = (manifest: PluginManifest): Promise<BuiltPlugin> => {
    const { id } = manifest;
    const request = {
      settings: settingsOf(manifest),
      services: services(),
      enabled: new Map(catalog.manifests.filter(isEnabled).map((one) => [one.id, one])),
      startsUp: async (needed: string): Promise<boolean> => {
        await reruns.current(needed);
        return running.has(needed);
      },
      reimports: generations.has(id) || problems.has(id),
      replaces: running.has(id),
    };
    return buildPlugin(manifest, request, options);
  };
  const refresh = async (id: string): Promise<void> => {
    const manifest = catalog.find(id);
    if (!manifest || !isEnabled(manifest)) {
      problems.delete(id);
      if (running.has(id)) await running.replace(id, undefined);
      return;
    }
    try {
      const { instance, waiting } = await build(manifest);
      generations.set(id, (generations.get(id) ?? 0) + 1);
      if (waiting) problems.set(id, toProblem(manifest, waiting, { runsOn: 'approved' }));
      else problems.delete(id);
      await turns.get(id);
      await running.replace(id, instance);
    } catch (cause) {
      const untrusted = isUntrusted(cause);
      if (!untrusted) log.error(`the plugin ${id} did not start`, { cause });
      // Revoking trust stops a running plugin; a change that is pending approval doesn't.
      if (untrusted && !trust.list().some((entry) => entry.id === id) && running.has(id))
        await running.replace(id, undefined);
      problems.set(
        id,
        toProblem(manifest, cause, {
          ...(running.has(id) && { runsOn: untrusted ? 'approved' : 'last good' }),
        }),
      );
      announce();
    }
  };
  const reruns = createRerunQueue(refresh);

  return {
    async start(ids) {
      let previous = Promise.resolve();
      for (const id of ids) {
        turns.set(id, previous);
        previous = Promise.all([previous, reruns.next(id)]).then(() => void turns.delete(id));
      }
      await previous;
    },
    async refresh(ids) {
      await Promise.all([...ids].map((id) => reruns.next(id)));
    },
    settled: () => reruns.settled(),
    stateOf(manifest) {
      const { id } = manifest;
      return stateOf(manifest, isEnabled(manifest), running.has(id), problems.get(id), generations);
    },
    get diagnostics() {
      return [...problems.values()].map(({ diagnostic }) => diagnostic);
    },
  };
}
