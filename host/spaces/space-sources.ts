import { join } from 'node:path';
import type { ManifestContext } from '../sources/manifests/run/context.ts';
import { createManifestDirectory, type ManifestSource } from '../sources/manifests/files/directory.ts';
import { createSpaceManifest } from '../sources/manifests/files/space-manifest.ts';
import { isPending } from './pinned/pending-space.ts';
import type { Space } from './space.ts';

/** The sources of a space's tools: agent/tools, then space.manifest.json. */
export function spaceSources(
  /** The current state: what is pending approval changes. */
  space: () => Space,
  context: ManifestContext,
): readonly ManifestSource[] {
  const { id, folder, description } = space();
  return [
    createManifestDirectory({
      folder: join(folder, 'agent', 'tools'),
      root: folder,
      module: id,
      kind: 'manifest',
      description,
      isLeftOut(path) {
        const { pending } = space();
        return pending !== undefined && isPending(pending, folder, path);
      },
      context,
    }),
    createSpaceManifest({ root: folder, module: id, description, context }),
  ];
}
