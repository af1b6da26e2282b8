import { dirname } from 'node:path';
import type { Tool } from '../../api/tool.ts';
import { describeDiagnostic } from '../../core/documents/describe-diagnostic.ts';
import { PegboardError } from '../../core/errors.ts';
import { readManifestFile } from '../../sources/manifests/read-manifest.ts';
import type { ManifestContext } from '../../sources/manifests/run/context.ts';
import { toTool } from '../../sources/manifests/to-tool.ts';

/** The tool that the file of a script describes. Throws PEG_USAGE. */
export async function readScript(path: string, context: ManifestContext): Promise<Tool> {
  const { manifest, diagnostics } = await readManifestFile(path, dirname(path));
  if (manifest?.action.kind === 'script') return toTool(manifest, context);
  throw new PegboardError(
    'PEG_USAGE',
    diagnostics.map((one) => describeDiagnostic(one)).join('\n') || `There is no file ${path}.`,
  );
}
