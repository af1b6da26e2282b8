import { Embeddings, Queues } from '../../api/services/kernel-tokens.ts';
import { provide, type Provided } from '../../api/services/token.ts';
import type { Foundation } from '../foundation.ts';

/** What the host itself provides to plugins. */
export const kernelTokens = ({ hosts, embeddings }: Foundation): readonly Provided[] => [
  provide(Embeddings, embeddings),
  provide(Queues, { status: async () => (hosts.hasJoined ? await hosts.status() : undefined) }),
];
