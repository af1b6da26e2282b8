import type { Diagnostic } from '../api/diagnostic.ts';
import type { PluginInstance } from './instance.ts';
import type { PluginManifest } from './manifest.ts';

/** Of two packs with one name stands the one whose plugin was found first, whichever started first. */
export function withoutRivals(
  started: readonly PluginInstance[],
  order: readonly PluginManifest[],
): { readonly instances: readonly PluginInstance[]; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const holders = new Map<string, PluginManifest>();
  for (const manifest of order) {
    const sources = started.find((instance) => instance.manifest === manifest)?.sources ?? [];
    for (const { id, module } of sources) {
      const holder = holders.get(id);
      if (holder) diagnostics.push(duplicatePack(module, manifest, holder));
      else holders.set(id, manifest);
    }
  }
  const instances = started.map((instance) => ({
    ...instance,
    sources: instance.sources.filter(({ id }) => holders.get(id) === instance.manifest),
  }));
  return { instances, diagnostics };
}

function duplicatePack(name: string, loser: PluginManifest, winner: PluginManifest): Diagnostic {
  return {
    severity: 'error',
    code: 'duplicate-pack',
    message: `there are two packs "${name}": that of ${winner.path} is used, this one is not`,
    path: loser.path,
    hint: 'give one of them another name',
  };
}
