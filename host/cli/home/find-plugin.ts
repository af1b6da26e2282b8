import { pegboard } from '../../core/own-command.ts';
import type { Host } from '../../host.ts';
import { PegboardError } from '../../core/errors.ts';
import { nearest } from '../../core/documents/nearest.ts';
import type { PluginManifest } from '../../plugins/loading/manifest.ts';

/** Throws PEG_USAGE with a near name. */
export function findPlugin(host: Host, id: string): PluginManifest {
  const manifests = host.plugins.states.map(({ manifest }) => manifest);
  const found = manifests.find((manifest) => manifest.id === id);
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
