import type { Diagnostic } from '../api/diagnostic.ts';
import type { Logger } from '../api/log.ts';
import type { Registry } from '../api/source.ts';
import { toJson } from '../core/documents/written-numbers.ts';
import { isWithin } from '../core/files/paths.ts';
import type { BuildPolicy } from './build-plugin.ts';
import type { PluginServices } from './context.ts';
import type { PluginInstance } from './instance.ts';
import type { Provided } from '../api/services/token.ts';
import { createLifecycles } from './lifecycles.ts';
import { createPluginCatalog } from './loading/catalog.ts';
import type { DynamicPack, PluginManifest } from './loading/manifest.ts';
import type { PluginSettings } from '../formats/config.ts';
import { runsAsFound } from './loading/trust.ts';
import { unknownSettings } from './loading/settings.ts';
import { absentTools, modulesOf } from './absent-tools.ts';
import { inTopologicalOrder } from './loading/topological-order.ts';
import { createDeferred } from './deferred.ts';
import { checkOnDemand, deferrable, isWanted } from './on-demand.ts';
import type { PluginState } from './plugin-state.ts';
import { createProviders, type Providers } from './providers.ts';
import { createRunningPlugins } from './running-plugins.ts';

type Settings = { readonly [id: string]: PluginSettings };
/** The parts of pegboard.yaml by their names. */
type Sections = { readonly [name: string]: unknown };

export interface PluginSetOptions extends BuildPolicy {
  readonly home: string;
  readonly registry: Registry;
  readonly settings: Settings;
  readonly sections: Sections;
  readonly log: Logger;
  /** What the host itself provides. Nobody else can. */
  readonly own: readonly Provided[];
}

/** All plugins of a host. Each has its own lifecycle: one that fails or hangs doesn't affect the others. */
export interface PluginSet extends Providers, AsyncDisposable {
  /**
   * Finds and starts all plugins; there are none before. Call it once. Resolves when each runs or has failed. With `needed`,
   * those that a call of another tool can do without are left for `complete`, with `none` all of them.
   */
  open(services: PluginServices, setUp?: 'all' | 'needed' | 'none'): Promise<void>;
  /** Starts the deferred plugins. Whatever needs the contributions of all plugins awaits it. */
  complete(): Promise<void>;
  /** Plugins that `open` left for `complete`. */
  readonly deferred: readonly PluginManifest[];
  /** In the order in which they were found. */
  readonly states: readonly PluginState[];
  /** The running plugins, each after the plugins that it requires. */
  readonly instances: readonly PluginInstance[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether a plugin has a module of this name, also one that doesn't run. */
  hasModule(name: string): boolean;
  /** Takes absolute paths and reloads the plugins that they belong to. Resolves when each runs or has failed. */
  changed(paths: readonly string[]): Promise<void>;
  apply(settings: Settings, sections?: Sections): Promise<void>;
  /** Reloads a plugin, or all without an id, even if nothing changed. */
  reload(id?: string): Promise<void>;
  /** Starts the services, and from now on also those of plugins that are added later. */
  startServices(): Promise<void>;
  /** Ends them, and starts no more. */
  stopServices(): Promise<void>;
}

export function createPluginSet(options: PluginSetOptions): PluginSet {
  const { home, registry, log } = options;
  let { settings, sections } = options;
  const settingsOf = (one: PluginManifest): PluginSettings | undefined =>
    withSection(one, settings[one.id], sections);
  /** Set by `open`. */
  let services: PluginServices;
  // Nothing is approved where code runs without approval, or not at all.
  const catalog = createPluginCatalog(
    home,
    options.development || options.reading ? undefined : options.trust,
  );
  const listeners = new Set<() => void>();
  const announce = (): void => listeners.forEach((listener) => listener());
  const running = createRunningPlugins(registry, log, () => services.surroundings.clock, announce);
  const lifecycles = createLifecycles(
    { catalog, running, settingsOf, services: () => services, announce },
    options,
  );

  const enabled = (): readonly PluginManifest[] =>
    catalog.manifests.filter(({ id }) => settings[id]?.enabled !== false);
  const start = (manifests: readonly PluginManifest[]): Promise<void> =>
    lifecycles.start(inTopologicalOrder(manifests).map(({ id }) => id));
  const deferred = createDeferred(start);
  const inOrder = (): readonly PluginInstance[] =>
    inTopologicalOrder(catalog.manifests).flatMap(({ id }) => running.get(id) ?? []);

  const states = (): readonly PluginState[] => catalog.manifests.map((one) => lifecycles.stateOf(one));
  const explaining = registry.explainAbsent(() => absentTools(states()));

  return {
    async open(provided, setUp = 'all') {
      services = provided;
      await catalog.refresh(settings);
      const isApproved = (one: PluginManifest): boolean => runsAsFound(one, settings[one.id], options);
      const waiting = setUp === 'all' ? [] : setUp === 'none' ? enabled() : deferrable(enabled(), isApproved);
      deferred.add(waiting.filter((one) => !isWanted(one, options.environment)));
      await start(catalog.manifests.filter((manifest) => !deferred.waiting.includes(manifest)));
    },
    complete: () => deferred.complete(),
    ...createProviders({
      catalog,
      running,
      stateOf: (manifest) => lifecycles.stateOf(manifest),
      activate: (id) => deferred.activate(id),
      inOrder,
      listeners,
      own: options.own,
    }),
    get deferred() {
      return deferred.waiting;
    },
    get states() {
      return states();
    },
    get instances() {
      return inOrder();
    },
    get diagnostics() {
      return [
        ...catalog.diagnostics,
        ...catalog.manifests.flatMap(checkOnDemand),
        ...lifecycles.diagnostics,
        ...running.all().flatMap((instance) => instance.diagnostics),
        ...unknownSettings(settings, catalog.manifests),
      ];
    },
    hasModule: (name) => enabled().some((manifest) => modulesIn(manifest).has(name)),
    async changed(paths) {
      const ids = await catalog.refresh(settings);
      for (const { id, folder, dynamic } of catalog.manifests) {
        if (paths.some((path) => belongsTo(path, dynamic?.root ?? folder, dynamic))) ids.add(id);
      }
      await lifecycles.refresh(ids);
    },
    async apply(next, nextSections = sections) {
      const before = new Map(catalog.manifests.map((one) => [one.id, toJson(settingsOf(one))]));
      [settings, sections] = [next, nextSections];
      const ids = await catalog.refresh(settings);
      const changed = catalog.manifests.filter((one) => before.get(one.id) !== toJson(settingsOf(one)));
      await lifecycles.refresh(ids.union(new Set(changed.map(({ id }) => id))));
    },
    async reload(id) {
      await catalog.refresh(settings);
      await lifecycles.refresh(id === undefined ? catalog.manifests.map((manifest) => manifest.id) : [id]);
    },
    startServices: () => running.startServices(),
    stopServices: () => running.stopServices(),
    async [Symbol.asyncDispose]() {
      explaining[Symbol.dispose]();
      await running.stopServices();
      await lifecycles.settled();
      const all = running.all().map(({ manifest }) => manifest);
      for (const { id } of inTopologicalOrder(all).toReversed()) await running.replace(id, undefined);
      await running.retired();
    },
  };
}

/** With the part of pegboard.yaml that belongs to the plugin. What is written under its id counts more. */
function withSection(
  { section, builtin }: PluginManifest,
  settings: PluginSettings | undefined,
  sections: Sections,
): PluginSettings | undefined {
  const part = section !== undefined && builtin ? sections[section] : undefined;
  return part ? { ...settings, config: { ...part, ...settings?.config } } : settings;
}

const modules = new WeakMap<PluginManifest, ReadonlySet<string>>();
function modulesIn(manifest: PluginManifest): ReadonlySet<string> {
  let known = modules.get(manifest);
  if (!known) modules.set(manifest, (known = new Set(modulesOf(manifest).map(({ module }) => module))));
  return known;
}

/** Whether a changed path belongs to a plugin. Markdown and YAML files next to a space's code don't. */
function belongsTo(path: string, folder: string, dynamic: DynamicPack | undefined): boolean {
  if (isWithin(path, folder)) return true;
  return isWithin(folder, path) && !(dynamic && /\.(md|ya?ml)$/.test(path));
}
