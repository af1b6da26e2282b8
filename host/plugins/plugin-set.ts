import type { Diagnostic } from '../api/diagnostic.ts';
import type { Plugin } from '../api/plugin.ts';
import type { Logger } from '../api/log.ts';
import type { Registry } from '../api/source.ts';
import { withinLimit } from '../core/async/deadline.ts';
import { isWithin } from '../core/files/paths.ts';
import type { TrustStore } from '../store/owner/trust.ts';
import type { PluginServices } from './context.ts';
import type { DynamicPack } from './loading/dynamic-packs.ts';
import { discoverPlugins, type DiscoveredPlugins } from './loading/discover.ts';
import { importDynamicPack } from './loading/import-dynamic.ts';
import { importPlugin } from './loading/import.ts';
import { startPlugin, type PluginInstance } from './instance.ts';
import { requireWhole } from './manifest-tools.ts';
import type { PluginManifest, PluginSettings } from './loading/manifest.ts';
import { inTopologicalOrder } from './loading/topological-order.ts';
import { isUntrusted, stateOf, toProblem, type PluginProblem, type PluginState } from './plugin-state.ts';
import { prepare } from './loading/prepare.ts';
import { conflictsOf } from './loading/conflicts.ts';
import { createRerunQueue } from './rerun-queue.ts';
import { startServices, type RunningServices } from './services.ts';
import { unknownSettings } from './loading/settings.ts';
import { checkTrust } from './loading/trust.ts';
import type { Platform } from '../core/requirements.ts';
import { toJson } from '../core/documents/written-numbers.ts';

export type Settings = { readonly [id: string]: PluginSettings };

export interface PluginSetOptions {
  readonly home: string;
  readonly registry: Registry;
  readonly trust: TrustStore;
  readonly settings: Settings;
  readonly environment: Platform;
  /** The same without what the home's .env adds: for code of spaces. */
  readonly environmentOfSpaces: Platform;
  /** Plugins run without being trusted first. */
  readonly development: boolean;
  /** Only those that come with Pegboard run, without settings. */
  readonly reading?: boolean;
  readonly log: Logger;
}

/** All plugins of a host, each with a life of its own: one that fails or hangs costs the others nothing. */
export interface PluginSet extends AsyncDisposable {
  /** Finds and starts them, once; there are none before. Resolves when each runs or has failed. */
  open(services: PluginServices): Promise<void>;
  /** In the order in which they were found. */
  readonly states: readonly PluginState[];
  /** Those that run, after the plugins that they require. */
  readonly instances: readonly PluginInstance[];
  readonly diagnostics: readonly Diagnostic[];
  /** Absolute paths, of which those of plugins concern this set. Resolves when everything stands. */
  changed(paths: readonly string[]): Promise<void>;
  apply(settings: Settings): Promise<void>;
  /** Loads it anew although nothing changed; all without an id. */
  reload(id?: string): Promise<void>;
  /** From now on services run, also those of plugins that come later. */
  startServices(): Promise<void>;
  /** Told in the very step in which tools, hooks and the rest are exchanged. */
  onChange(listener: () => void): Disposable;
}

interface Running {
  readonly instance: PluginInstance;
  readonly handles: readonly AsyncDisposable[];
  services: RunningServices | undefined;
}

/** Milliseconds that calls on a retired plugin have left to end. */
const retireTimeoutMs = 30_000;

export function createPluginSet(options: PluginSetOptions): PluginSet {
  const {
    home,
    registry,
    trust,
    environment,
    environmentOfSpaces,
    development,
    reading = false,
    log,
  } = options;
  let settings = options.settings;
  let discovered: DiscoveredPlugins = { manifests: [], diagnostics: [] };
  /** From `open` on. */
  let services: PluginServices;
  let servicesRun = false;
  const running = new Map<string, Running>();
  const generations = new Map<string, number>();
  const problems = new Map<string, PluginProblem>();
  const retiring = new Set<Promise<void>>();
  const listeners = new Set<() => void>();

  const announce = (): void => {
    for (const listener of listeners) listener();
  };
  const manifestOf = (id: string): PluginManifest | undefined =>
    discovered.manifests.find((manifest) => manifest.id === id);
  const isEnabled = ({ id }: PluginManifest): boolean => settings[id]?.enabled !== false;
  const enabled = (): ReadonlyMap<string, PluginManifest> =>
    new Map(discovered.manifests.filter(isEnabled).map((manifest) => [manifest.id, manifest]));

  const build = async (manifest: PluginManifest): Promise<PluginInstance> => {
    const { id } = manifest;
    const own = reading ? undefined : settings[id];
    checkTrust(manifest, own, { trust, development, reading });
    const startsUp = async (needed: string): Promise<boolean> => {
      await reruns.current(needed);
      return running.has(needed);
    };
    const config = await prepare(manifest, own, {
      environment,
      resolve: (name) => services.resolve(name),
      enabled: enabled(),
      startsUp,
    });
    const left: Diagnostic[] = [];
    const load = async (): Promise<Plugin> => {
      if (manifest.dynamic)
        return await importDynamicPack(manifest, {
          environment: environmentOfSpaces,
          resolve: (name) => services.resolveForSpaces(name),
          report: (diagnostic) => void left.push(diagnostic),
        });
      return await importPlugin(manifest, generations.has(id) || problems.has(id));
    };
    const started = await startPlugin(manifest, load, config, services);
    const instance = { ...started, diagnostics: [...started.diagnostics, ...left] };
    try {
      if (running.has(id)) await requireWhole(instance.manifestTools);
      return instance;
    } catch (cause) {
      await instance[Symbol.asyncDispose]();
      throw cause;
    }
  };

  /** New in, old out: tools, hooks and everything else in one step; the old services end before the new ones start. */
  const exchange = async (id: string, instance: PluginInstance | undefined): Promise<void> => {
    const old = running.get(id);
    const others = [...running.values()].filter((other) => other !== old).map((other) => other.instance);
    const { sources, diagnostics } = conflictsOf(instance, others);
    const next = instance && { ...instance, sources, diagnostics: [...instance.diagnostics, ...diagnostics] };
    let entered: Running | undefined;
    const { handles, retired } = await registry.swap(old?.handles ?? [], next?.sources ?? [], () => {
      running.delete(id);
      if (next) running.set(id, (entered = { instance: next, handles: [], services: undefined }));
      announce();
    });
    if (entered) running.set(id, (entered = { ...entered, handles }));
    await old?.services?.[Symbol.asyncDispose]();
    if (old) retire(old.instance, retired);
    if (entered && servicesRun)
      entered.services = await startServices(entered.instance.services, log.child(id));
  };
  const retire = (instance: PluginInstance, retired: Promise<void>): void => {
    const end = async (): Promise<void> => {
      await withinLimit(retired, retireTimeoutMs).catch(() =>
        log.warn(`calls on the old ${instance.manifest.id} still run; it is closed all the same`),
      );
      await instance[Symbol.asyncDispose]();
    };
    const ending = end().finally(() => retiring.delete(ending));
    retiring.add(ending);
  };

  /** Brings one plugin to what its files and settings say now. Never rejects. */
  const refresh = async (id: string): Promise<void> => {
    const manifest = manifestOf(id);
    if (!manifest || !isEnabled(manifest)) {
      problems.delete(id);
      if (running.has(id)) await exchange(id, undefined);
      return;
    }
    try {
      const instance = await build(manifest);
      generations.set(id, (generations.get(id) ?? 0) + 1);
      problems.delete(id);
      await turns.get(id);
      await exchange(id, instance);
    } catch (cause) {
      const untrusted = isUntrusted(cause);
      if (!untrusted) log.error(`the plugin ${id} did not start`, { cause });
      // Approval that was taken back ends what runs; a change that waits for approval doesn't.
      if (untrusted && !trust.list().some((entry) => entry.id === id) && running.has(id))
        await exchange(id, undefined);
      problems.set(id, toProblem(manifest, cause, { runsOn: running.has(id) }));
      announce();
    }
  };
  const reruns = createRerunQueue(refresh);
  /** At the start all are built side by side and enter one after the other, so that tools have the same order each time. */
  const turns = new Map<string, Promise<void>>();
  const refreshAll = async (ids: Iterable<string>): Promise<void> => {
    await Promise.all([...ids].map((id) => reruns.next(id)));
  };
  /** Plugins whose plugin.yaml says something else than before, came or went. */
  const rediscover = async (): Promise<Set<string>> => {
    const before = new Map(discovered.manifests.map((manifest) => [manifest.id, manifest]));
    discovered = await discoverPlugins(home, settings);
    const now = new Map(discovered.manifests.map((manifest) => [manifest.id, manifest]));
    const broken = (id: string): boolean =>
      discovered.diagnostics.some(
        ({ path, severity }) => severity === 'error' && path === before.get(id)?.path,
      );
    for (const id of before.keys()) {
      // A plugin.yaml that can't be read just now doesn't take a running plugin away.
      if (!now.has(id) && broken(id)) discovered = withKept(discovered, before.get(id)!);
    }
    const ids = new Set([...before.keys(), ...now.keys()]);
    return new Set([...ids].filter((id) => toJson(before.get(id)) !== toJson(manifestOf(id))));
  };

  return {
    async open(lent) {
      services = lent;
      discovered = await discoverPlugins(home, settings);
      let previous = Promise.resolve();
      for (const { id } of inTopologicalOrder(discovered.manifests)) {
        turns.set(id, previous);
        previous = Promise.all([previous, reruns.next(id)]).then(() => void turns.delete(id));
      }
      await previous;
    },
    get states() {
      return discovered.manifests.map((manifest) =>
        stateOf(
          manifest,
          isEnabled(manifest),
          running.has(manifest.id),
          problems.get(manifest.id),
          generations,
        ),
      );
    },
    get instances() {
      return inTopologicalOrder(discovered.manifests).flatMap(({ id }) => running.get(id)?.instance ?? []);
    },
    get diagnostics() {
      return [
        ...discovered.diagnostics,
        ...[...problems.values()].map(({ diagnostic }) => diagnostic),
        ...[...running.values()].flatMap(({ instance }) => instance.diagnostics),
        ...unknownSettings(settings, discovered.manifests),
      ];
    },
    async changed(paths) {
      const ids = await rediscover();
      for (const { id, folder, dynamic } of discovered.manifests) {
        if (paths.some((path) => concerns(path, dynamic?.root ?? folder, dynamic))) ids.add(id);
      }
      await refreshAll(ids);
    },
    async apply(next) {
      const before = settings;
      settings = next;
      const ids = await rediscover();
      for (const { id } of discovered.manifests) {
        if (toJson(before[id]) !== toJson(next[id])) ids.add(id);
      }
      await refreshAll(ids);
    },
    async reload(id) {
      await rediscover();
      await refreshAll(id === undefined ? discovered.manifests.map((manifest) => manifest.id) : [id]);
    },
    async startServices() {
      servicesRun = true;
      for (const [id, entry] of running) {
        entry.services ??= await startServices(entry.instance.services, log.child(id));
      }
    },
    onChange(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    async [Symbol.asyncDispose]() {
      servicesRun = false;
      await reruns.settled();
      const last = inTopologicalOrder(
        [...running.values()].map(({ instance }) => instance.manifest),
      ).toReversed();
      for (const { id } of last) await exchange(id, undefined);
      await Promise.all(retiring);
    },
  };
}

/** Manifests and notes lie beside a space's code, and are none of its. */
function concerns(path: string, folder: string, dynamic: DynamicPack | undefined): boolean {
  if (isWithin(path, folder)) return true;
  return isWithin(folder, path) && !(dynamic && /\.(md|ya?ml)$/.test(path));
}

const withKept = (discovered: DiscoveredPlugins, manifest: PluginManifest): DiscoveredPlugins => ({
  ...discovered,
  manifests: [...discovered.manifests, manifest],
});
