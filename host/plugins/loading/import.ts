import { existsSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from '../../api/plugin.ts';
import { PegboardError } from '../../core/errors.ts';
import { beginGeneration, endGeneration, joinGeneration } from './generations.ts';
import { requireApproved } from './import-boundary.ts';
import type { PluginManifest } from './manifest.ts';

/**
 * Imports the plugin's modules from disk, without reusing earlier imports; only the modules of built-in plugins are shared
 * by several hosts of a process until one of them reloads. Rejects with what the code throws, or with PEG_CONFIG when the
 * module is not a plugin.
 */
export async function importPlugin(manifest: PluginManifest, isReload: boolean): Promise<Plugin> {
  if (manifest.entry === '') return withoutCode;
  const path = pathIn(manifest, manifest.entry);
  requireApproved(manifest, path);
  if (manifest.builtin && !isReload) joinGeneration(manifest.folder);
  else beginGeneration(manifest.folder);
  const { default: plugin } = (await importFile(path, manifest)) as { readonly default?: Partial<Plugin> };
  if (typeof plugin?.setup !== 'function') {
    throw new PegboardError(
      'PEG_CONFIG',
      `${path} has no plugin as its default export: write "export default definePlugin({ setup(context) { … } })".`,
    );
  }
  return plugin as Plugin;
}

/** A plugin without code, with only manifests, skills or commands of other programs. */
const withoutCode: Plugin = { setup: () => ({}) };

/** A module of a plugin that ships with Pegboard, as it is. */
export async function importModule(
  manifest: Pick<PluginManifest, 'folder' | 'path'>,
  module: string,
): Promise<object> {
  const path = pathIn(manifest, module);
  // A built one never changes.
  if (!path.endsWith('.js')) joinGeneration(manifest.folder);
  return await importFile(path, manifest);
}

async function importFile(path: string, { folder }: Pick<PluginManifest, 'folder'>): Promise<object> {
  try {
    return (await import(pathToFileURL(path).href)) as object;
  } catch (cause) {
    endGeneration(folder);
    throw cause;
  }
}

/** Node strips types only outside node_modules, so an installed plugin needs JavaScript next to its TypeScript. */
function pathIn({ folder, path }: Pick<PluginManifest, 'folder' | 'path'>, module: string): string {
  const written = join(folder, module);
  const built = written.replace(/\.ts$/, '.js');
  const candidates = written.includes(`${sep}node_modules${sep}`) ? [built, written] : [written, built];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined)
    throw new PegboardError('PEG_CONFIG', `${written} does not exist: ${path} names it.`);
  return found;
}
