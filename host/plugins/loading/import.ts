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
  const path = entryPath(manifest);
  requireApproved(manifest, path);
  if (manifest.builtin && !isReload) joinGeneration(manifest.folder);
  else beginGeneration(manifest.folder);
  const { default: plugin } = await importEntry(path, manifest);
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

async function importEntry(
  path: string,
  { folder }: PluginManifest,
): Promise<{ readonly default?: Partial<Plugin> }> {
  try {
    return (await import(pathToFileURL(path).href)) as { default?: Partial<Plugin> };
  } catch (cause) {
    endGeneration(folder);
    throw cause;
  }
}

/** Node strips types only outside node_modules, so an installed plugin needs JavaScript next to its TypeScript. */
function entryPath({ folder, entry, path }: PluginManifest): string {
  const written = join(folder, entry);
  const built = written.replace(/\.ts$/, '.js');
  const candidates = written.includes(`${sep}node_modules${sep}`) ? [built, written] : [written, built];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined) {
    throw new PegboardError('PEG_CONFIG', `${written} does not exist: ${path} names it as the entry.`);
  }
  return found;
}
