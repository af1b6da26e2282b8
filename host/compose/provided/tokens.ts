import { dirname } from 'node:path';
import { Embeddings, ManifestReader, Queues } from '../../api/services/kernel-tokens.ts';
import { provide, type Provided } from '../../api/services/token.ts';
import type { ManifestContext } from '../../sources/manifests/run/context.ts';
import type { Tool } from '../../api/tool.ts';
import { describeDiagnostic } from '../../core/documents/describe-diagnostic.ts';
import { PegboardError } from '../../core/errors.ts';
import { readManifestFile } from '../../sources/manifests/read-manifest.ts';
import { toTool } from '../../sources/manifests/to-tool.ts';
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

/** The tool that the file of a script describes. Throws PEG_USAGE. */
async function readScript(path: string, context: ManifestContext): Promise<Tool> {
  const { manifest, diagnostics } = await readManifestFile(path, dirname(path));
  if (manifest?.action.kind === 'script') return toTool(manifest, context);
  throw new PegboardError(
    'PEG_USAGE',
    diagnostics.map((one) => describeDiagnostic(one)).join('\n') || `There is no file ${path}.`,
  );
}
