import { join } from 'node:path';
import { describeDiagnostic } from '../core/documents/describe-diagnostic.ts';
import { PegboardError } from '../core/errors.ts';
import type { ManifestContext } from '../sources/manifests/run/context.ts';
import { createManifestDirectory, type ManifestSource } from '../sources/manifests/files/directory.ts';
import { findManifests } from '../sources/manifests/files/manifest-files.ts';
import type { PluginManifest } from './loading/manifest.ts';

/** The source of the manifests in a plugin's `tools/`, under the plugin's id. Undefined when there are none. */
export function manifestToolsOf(
  { id, folder, description, builtin, dynamic, boundary }: PluginManifest,
  context: ManifestContext,
): ManifestSource | undefined {
  const tools = join(folder, 'tools');
  if (dynamic || findManifests(tools, boundary).paths.length === 0) return undefined;
  return createManifestDirectory({
    id: `manifests:${id}`,
    folder: tools,
    root: folder,
    module: id,
    kind: builtin ? 'builtin' : 'plugin',
    description,
    context,
  });
}

/** Throws PEG_CONFIG with the position of the first mistake, so that a running version without mistakes keeps running. */
export async function requireValid(source: ManifestSource | undefined): Promise<void> {
  const { diagnostics = [] } = (await source?.list()) ?? {};
  const wrong = diagnostics.find(({ severity }) => severity === 'error');
  if (wrong) throw new PegboardError('PEG_CONFIG', `${describeDiagnostic(wrong)}.`);
}
