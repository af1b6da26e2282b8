import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JsonSchema } from '../../api/result.ts';
import type { ManifestAction, ToolManifest, WrittenManifest } from './manifest.ts';
import { toSchema } from './parameters.ts';

/** Seconds; SPEC 2. */
export const defaultTimeout = 60;

/** A checked manifest with its defaults filled in. */
export function toManifest(
  written: WrittenManifest,
  action: ManifestAction,
  {
    path,
    root,
    documentation,
  }: { readonly path: string; readonly root: string; readonly documentation: string },
): ToolManifest {
  const { id, name, description, category, icon, tags, aliases, examples, parameters, inputSchema } = written;
  const { timeout = defaultTimeout, confirm = false, environment = {}, cwd = '.', output = 'text' } = written;
  const schema: JsonSchema = inputSchema ?? toSchema(parameters ?? []);
  const decisive = [
    [id, description, schema],
    [timeout, confirm, environment, cwd, output],
    [action.kind, ...decisiveOf(action)],
    (parameters ?? []).map(({ allowDash, unsafe }) => [allowDash, unsafe]),
  ];
  return {
    id,
    name,
    description,
    ...(category !== undefined && { category }),
    ...(icon !== undefined && { icon }),
    ...(tags && { tags }),
    ...(aliases && { aliases }),
    ...(examples && { examples }),
    schema,
    action,
    timeout,
    confirm,
    environment,
    root,
    cwd: resolve(root, cwd),
    output,
    ...(documentation !== '' && { documentation }),
    path,
    fingerprint: hash('sha256', JSON.stringify(decisive)),
  };
}

/** A function's own file counts: who edits it changes what the tool does. */
function decisiveOf(action: ManifestAction): readonly string[] {
  switch (action.kind) {
    case 'command':
      return [action.template];
    case 'mcp':
      return [action.server, action.tool];
    case 'handler':
      return [action.file, action.export, hash('sha256', readFileSync(action.file))];
  }
}
