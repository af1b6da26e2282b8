import { Embeddings, ManifestReader, Queues } from '../../api/services/kernel-tokens.ts';
import { provide, type Provided } from '../../api/services/token.ts';
import type { ManifestContext } from '../../sources/manifests/run/context.ts';
import { readScript } from './read-script.ts';
import type { Foundation } from '../foundation.ts';

/** What the host itself provides to plugins. */
export const kernelTokens = (
  { hosts, embeddings }: Foundation,
  manifests: () => ManifestContext,
): readonly Provided[] => [
  provide(ManifestReader, { readScript: (path) => readScript(path, manifests()) }),
  provide(Embeddings, embeddings),
  provide(Queues, { status: async () => (hosts.hasJoined ? await hosts.status() : undefined) }),
];
