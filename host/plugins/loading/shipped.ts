import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { parseJson } from '../../core/documents/written-numbers.ts';
import { packageRoot } from '../../core/files/paths.ts';
import { readRegularFile } from '../../core/files/regular-file.ts';
import type { WrittenPlugin } from '../../formats/plugin.ts';
import type { PluginManifest } from './manifest.ts';

/** Beside the plugins of a built package: what each plugin.yaml says, by folder, checked when the package was built. */
export const checkedManifestsFile = 'manifests.json';

/** Empty in a clone. */
export function checkedManifests(): { readonly [folder: string]: WrittenPlugin } {
  const path = join(packageRoot, 'plugins', checkedManifestsFile);
  return existsSync(path)
    ? (parseJson(readRegularFile(path).toString('utf8')) as ReturnType<typeof checkedManifests>)
    : {};
}

/** What a command needs to know of its plugin. */
export type CommandPlugin = Pick<PluginManifest, 'id' | 'builtin' | 'folder' | 'path' | 'commands'>;

/** The plugins that ship with Pegboard and have commands. Nothing is checked, so one that can't be read is left out. */
export function shippedPlugins(): readonly CommandPlugin[] {
  const checked = Object.entries(checkedManifests());
  const written = checked.length > 0 ? checked : writtenManifests();
  return written.map(([name, { id, commands = {} }]) => {
    const folder = join(packageRoot, 'plugins', name);
    return { id, builtin: true, folder, path: join(folder, 'plugin.yaml'), commands };
  });
}

function writtenManifests(): readonly (readonly [folder: string, WrittenPlugin])[] {
  const parent = join(packageRoot, 'plugins');
  return readdirSync(parent)
    .filter((name) => name.startsWith('builtin-'))
    .flatMap((name) => {
      try {
        return [[name, load(readFileSync(join(parent, name, 'plugin.yaml'), 'utf8')) as WrittenPlugin]];
      } catch {
        return [];
      }
    });
}
