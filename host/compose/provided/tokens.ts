import { dirname } from 'node:path';
import type { KnownFolders, ListedRoot } from '../../api/known-folders.ts';
import { Embeddings, ManifestReader, Queues, WritableFolders } from '../../api/services/kernel-tokens.ts';
import { provide, type Provided } from '../../api/services/token.ts';
import type { ManifestContext } from '../../sources/manifests/run/context.ts';
import type { Tool } from '../../api/tool.ts';
import { describeDiagnostic } from '../../core/documents/describe-diagnostic.ts';
import { PegboardError } from '../../core/errors.ts';
import { foldersWithoutCaller } from '../../core/files/known-folders.ts';
import { realPathOf } from '../../core/files/paths.ts';
import { isProjectHome } from '../../core/files/project.ts';
import { readManifestFile } from '../../sources/manifests/read-manifest.ts';
import { toTool } from '../../sources/manifests/to-tool.ts';
import { trustedProjects } from '../../store/owner/known-projects.ts';
import type { Foundation } from '../foundation.ts';

interface Given {
  readonly manifests: () => ManifestContext;
  /** Folders outside of the home that plugins list. */
  readonly roots: () => readonly ListedRoot[];
}

/** What the host itself provides to plugins. */
export const kernelTokens = (foundation: Foundation, { manifests, roots }: Given): readonly Provided[] => [
  provide(ManifestReader, { readScript: (path) => readScript(path, manifests()) }),
  provide(Embeddings, foundation.embeddings),
  provide(Queues, {
    status: async () => (foundation.hosts.hasJoined ? await foundation.hosts.status() : undefined),
  }),
  provide(WritableFolders, { ofAll: async () => writableFolders(foundation, roots()) }),
];

/** What any caller may write to; trusted projects are added to the listed folders. */
function writableFolders(
  { home, surroundings: user }: Foundation,
  roots: readonly ListedRoot[],
): Pick<KnownFolders, 'home' | 'userState' | 'roots'> {
  const ofHome = isProjectHome(home, user) ? [dirname(realPathOf(home))] : [];
  const projects = [...ofHome, ...trustedProjects(user)].map((path): ListedRoot => ({ path, write: 'ask' }));
  return { ...foldersWithoutCaller(home, user), roots: [...roots, ...projects] };
}

/** The tool that the file of a script describes. Throws PEG_USAGE. */
async function readScript(path: string, context: ManifestContext): Promise<Tool> {
  const { manifest, diagnostics } = await readManifestFile(path, dirname(path));
  if (manifest?.action.kind === 'script') return toTool(manifest, context);
  throw new PegboardError(
    'PEG_USAGE',
    diagnostics.map((one) => describeDiagnostic(one)).join('\n') || `There is no file ${path}.`,
  );
}
