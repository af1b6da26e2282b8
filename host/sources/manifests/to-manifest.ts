import { hash } from 'node:crypto';

import { resolve } from 'node:path';
import type { ManifestAction, ToolManifest } from './manifest.ts';
import type { WrittenManifest } from '../../formats/tool.ts';
import { toSchema } from './parameters.ts';
import { callersFolder } from './run/callers-folder.ts';
import { toJson } from '../../core/documents/written-numbers.ts';
import { readRegularFile } from '../../core/files/regular-file.ts';

/** A checked manifest, ready to become a tool. */
export function toManifest(
  written: WrittenManifest,
  action: ManifestAction,
  place: { readonly path: string; readonly root: string; readonly documentation: string },
): ToolManifest {
  const { cwd, parameters = [], inputSchema } = written;
  return {
    written,
    schema: inputSchema ?? toSchema(parameters),
    action,
    root: place.root,
    cwd: cwd === callersFolder ? undefined : resolve(place.root, cwd ?? '.'),
    documentation: place.documentation,
    path: place.path,
    fingerprint: fingerprintOf(written, action),
  };
}

/** The function's own file counts: an edit of it changes what the tool does. */
function fingerprintOf(written: WrittenManifest, action: ManifestAction): string {
  const code = action.kind === 'handler' ? hash('sha256', readRegularFile(action.file)) : '';
  return hash('sha256', toJson(written) + code);
}
