import { join } from 'node:path';
import type { ManifestContext } from '../sources/manifests/context.ts';
import { createManifestDirectory, type ManifestSource } from '../sources/manifests/directory.ts';
import { createSpaceManifest } from '../sources/manifests/space-manifest.ts';
import type { Space } from './space.ts';

/** What a space's tools come from: agent/tools, then space.manifest.json. */
export function spaceSources(
  { id, folder, description }: Space,
  context: ManifestContext,
): readonly ManifestSource[] {
  return [
    createManifestDirectory({
      folder: join(folder, 'agent', 'tools'),
      root: folder,
      module: id,
      kind: 'manifest',
      description,
      context,
    }),
    createSpaceManifest({ root: folder, module: id, description, context }),
  ];
}
