import { resolve } from 'node:path';
import { pegboard } from '../../core/own-command.ts';
import { absolutePath } from '../absolute-path.ts';
import type { Host } from '../../host.ts';
import { PegboardError } from '../../core/errors.ts';
import { nearest } from '../../core/documents/nearest.ts';
import type { PluginManifest } from '../../plugins/loading/manifest.ts';

/** By its id or its folder. Throws PEG_USAGE with a near name. */
export function findPlugin(host: Host, id: string): PluginManifest {
  const manifests = host.plugins.states.map(({ manifest }) => manifest);
  const found = manifests.find((manifest) => manifest.id === id || isFolderOf(manifest, id, host));
  if (found) return found;
  const [near] = nearest(
    id,
    manifests.map((manifest) => manifest.id),
  );
  throw new PegboardError(
    'PEG_USAGE',
    `There is no plugin "${id}".${near === undefined ? ` \`${pegboard} plugins\` lists them.` : ` Did you mean ${near}?`}`,
  );
}

/** Whether what was typed is the path of the plugin: from the current folder or from the home. */
const isFolderOf = ({ folder }: PluginManifest, typed: string, { home, surroundings }: Host): boolean =>
  /[\\/]/.test(typed) && [absolutePath(typed, surroundings), resolve(home, typed)].includes(folder);
