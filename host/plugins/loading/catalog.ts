import { toJson } from '../../core/documents/written-numbers.ts';
import { discoverPlugins, type DiscoveredPlugins } from './discover.ts';
import type { TrustStore } from '../../store/owner/trust.ts';
import type { PluginManifest } from './manifest.ts';
import type { PluginSettings } from '../../formats/config.ts';

/** The plugins that a home has, as their plugin.yaml files said when they were last read. */
export interface PluginCatalog extends DiscoveredPlugins {
  find(id: string): PluginManifest | undefined;
  /** Reads all plugin.yaml files again. Returns the ids of plugins that were added, removed or changed. */
  refresh(settings: { readonly [id: string]: PluginSettings }): Promise<Set<string>>;
}

/** Empty until the first `refresh`. `trust`: as for `discoverPlugins`. */
export function createPluginCatalog(home: string, trust: TrustStore | undefined): PluginCatalog {
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
      found = keepBroken(before, await discoverPlugins(home, settings, trust));
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
  const kept = [...before.values()].flatMap((manifest) => {
    const broken = found.diagnostics.find(
      ({ severity, path }) => severity === 'error' && path === manifest.path,
    );
    return !broken || now.has(manifest.id) ? [] : [{ ...manifest, broken }];
  });
  return { ...found, manifests: [...found.manifests, ...kept] };
}

const byId = ({ manifests }: DiscoveredPlugins): ReadonlyMap<string, PluginManifest> =>
  new Map(manifests.map((manifest) => [manifest.id, manifest]));
