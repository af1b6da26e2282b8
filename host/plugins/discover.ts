import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { JsonObject } from '../api/result.ts';
import { messageOf } from '../core/errors.ts';
import { packageRoot } from '../core/paths.ts';
import type { PluginManifest } from './manifest.ts';

export interface DiscoveredPlugins {
  readonly manifests: readonly PluginManifest[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Every folder with a plugin.yaml in the package's and the home's `plugins/`, without running any code. Of two plugins
 * with one id the first stands, those of the package before those of the home.
 */
export async function discoverPlugins(home: string): Promise<DiscoveredPlugins> {
  const diagnostics: Diagnostic[] = [];
  const byId = new Map<string, PluginManifest>();
  for (const folder of pluginFolders(home)) {
    const read = await readManifest(folder);
    diagnostics.push(...read.diagnostics);
    const { manifest } = read;
    if (!manifest) continue;
    const rival = byId.get(manifest.id);
    if (rival) diagnostics.push(duplicate(manifest, rival));
    else byId.set(manifest.id, manifest);
  }
  return { manifests: [...byId.values()], diagnostics };
}

/** A clone is also a home: its folder is read once. */
function pluginFolders(home: string): string[] {
  const parents = [...new Set([packageRoot, home].map((root) => realOf(join(root, 'plugins'))))];
  return parents.flatMap((parent) =>
    subfolders(parent)
      .map((name) => join(parent, name))
      .filter((folder) => existsSync(join(folder, 'plugin.yaml'))),
  );
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function subfolders(parent: string): string[] {
  try {
    return readdirSync(parent).sort();
  } catch {
    return [];
  }
}

async function readManifest(
  folder: string,
): Promise<{ readonly manifest?: PluginManifest; readonly diagnostics: readonly Diagnostic[] }> {
  const path = join(folder, 'plugin.yaml');
  try {
    const { load } = await import('js-yaml');
    const value = load(readFileSync(path, 'utf8')) as JsonObject;
    return { manifest: toManifest(value, folder), diagnostics: [] };
  } catch (cause) {
    return { diagnostics: [{ severity: 'error', code: 'invalid-plugin', message: messageOf(cause), path }] };
  }
}

function toManifest(value: JsonObject, folder: string): PluginManifest {
  const written = value as unknown as Omit<PluginManifest, 'folder' | 'path' | 'builtin'>;
  const inPackage = folder.startsWith(realOf(join(packageRoot, 'plugins')));
  return {
    ...written,
    entry: written.entry ?? 'index.ts',
    requires: written.requires ?? {},
    packs: written.packs ?? {},
    folder,
    path: join(folder, 'plugin.yaml'),
    builtin: inPackage && written.id.startsWith('builtin-'),
  };
}

function duplicate(loser: PluginManifest, winner: PluginManifest): Diagnostic {
  return {
    severity: 'error',
    code: 'duplicate-plugin',
    message: `there are two plugins "${loser.id}": ${winner.path} is used, this one is not`,
    path: loser.path,
    hint: 'give one of them another id',
  };
}
