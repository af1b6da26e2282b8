import { toJson } from '../../core/documents/written-numbers.ts';
import { discoverPlugins, type DiscoveredPlugins } from './discover.ts';
import type { PluginManifest } from './manifest.ts';
import type { PluginSettings } from '../../formats/config.ts';

/** The plugins that a home has, as their plugin.yaml files said when they were last read. */
export interface PluginCatalog extends DiscoveredPlugins {
  find(id: string): PluginManifest | undefined;
  /** Reads all plugin.yaml files again. Returns the ids of plugins that were added, removed or changed. */
  refresh(settings: { readonly [id: string]: PluginSettings }): Promise<Set<string>>;
}

/** Empty until the first `refresh`. */
export function createPluginCatalog(home: string): PluginCatalog {
  let found: DiscoveredPlugins = { manifests: [], diagnostics: [] };
  const find = (id: string): PluginManifest | undefined => found.manifests.find((one) => one.id === id);
  return {
    get manifests() {
      return found.manifests;
    },
    get diagnostics() {
      return found.diagnostics;
    },
    find,
    async refresh(settings) {
      const before = byId(found);
      found = keepBroken(before, await discoverPlugins(home, settings));
      const ids = new Set([...before.keys(), ...byId(found).keys()]);
      return new Set([...ids].filter((id) => toJson(before.get(id)) !== toJson(find(id))));
    },
  };
}

/** A plugin whose plugin.yaml has an error keeps its last good manifest, so that it can run on. */
function keepBroken(
  before: ReadonlyMap<string, PluginManifest>,
  found: DiscoveredPlugins,
): DiscoveredPlugins {
  const now = byId(found);
  const kept = [...before.values()].filter(
    ({ id, path }) =>
      !now.has(id) && found.diagnostics.some((one) => one.severity === 'error' && one.path === path),
  );
  return { ...found, manifests: [...found.manifests, ...kept] };
}

const byId = ({ manifests }: DiscoveredPlugins): ReadonlyMap<string, PluginManifest> =>
  new Map(manifests.map((manifest) => [manifest.id, manifest]));
