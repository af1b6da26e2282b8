import type { PluginManifest } from './manifest.ts';

/** Sorts plugins so that each comes after the plugins that it requires. */
export function inTopologicalOrder(manifests: readonly PluginManifest[]): readonly PluginManifest[] {
  const visited = new Set<PluginManifest>();
  const ordered: PluginManifest[] = [];
  const visit = (manifest: PluginManifest): void => {
    if (visited.has(manifest)) return;
    visited.add(manifest);
    const needed = manifest.requires.plugins ?? [];
    manifests.filter(({ id }) => needed.includes(id)).forEach(visit);
    ordered.push(manifest);
  };
  manifests.forEach(visit);
  return ordered;
}
