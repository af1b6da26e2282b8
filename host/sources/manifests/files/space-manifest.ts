import { join } from 'node:path';
import type { Diagnostic } from '../../../api/diagnostic.ts';
import type { Listing } from '../../../api/source.ts';
import type { Tool } from '../../../api/tool.ts';
import { readDocument } from '../../../core/documents/document.ts';
import { isWithin } from '../../../core/files/paths.ts';
import { readTextFile } from '../../../core/files/text-file.ts';
import type { ManifestContext } from '../run/context.ts';
import { keptInService, type ManifestSource } from './directory.ts';
import { readManifest } from '../read-manifest.ts';
import { toTool } from '../to-tool.ts';

const spaceManifestName = 'space.manifest.json';

export interface SpaceManifestOptions {
  /** The space's folder, absolute. Its manifest need not exist. */
  readonly root: string;
  readonly module: string;
  readonly description: string;
  readonly context: ManifestContext;
}

/**
 * The tools of a space.manifest.json. As in a folder of manifests, a broken one doesn't affect the others. The space
 * reads the rest of the file.
 */
export function createSpaceManifest(options: SpaceManifestOptions): ManifestSource {
  const { root, module, description, context } = options;
  const path = join(root, spaceManifestName);
  const listeners = new Set<() => void>();
  /** By id: the last versions without an error. */
  let good = new Map<string, Tool>();
  let listing: Promise<Listing> | undefined;

  const read = async (): Promise<Listing> => {
    const file = readTextFile(path, [...context.linkTargets, root]);
    if (file.text === undefined) {
      if (file.missing) good = new Map();
      return file.missing ? { tools: [] } : keepAll();
    }
    const document = readDocument(file.text, { path, format: 'json' });
    if (document.diagnostics.length > 0) return keepAll();
    const entries = (document.value as { readonly tools?: unknown } | null)?.tools ?? [];
    if (!Array.isArray(entries)) {
      return keepAll({ ...document.locate('/tools'), code: 'wrong-type', message: '"tools" must be a list' });
    }
    const tools = new Map<string, Tool>();
    const diagnostics: Diagnostic[] = [];
    for (const [index, entry] of (entries as unknown[]).entries()) {
      const found = await readManifest(document, `/tools/${index}`, root);
      const id = found.manifest?.written.id ?? idOf(entry);
      const kept = found.manifest ? undefined : good.get(id ?? '');
      const tool = found.manifest ? toTool(found.manifest, context) : kept;
      diagnostics.push(...(kept ? found.diagnostics.map(keptInService) : found.diagnostics));
      if (tool && id !== undefined && !tools.has(id)) tools.set(id, tool);
      else if (tool) diagnostics.push({ ...duplicate(id!, path), ...document.locate(`/tools/${index}/id`) });
    }
    good = tools;
    return { tools: [...tools.values()], diagnostics };
  };
  /** The space reports why the file can't be read; this reports the consequences for the tools. */
  const keepAll = (problem?: Pick<Diagnostic, 'code' | 'message' | 'line' | 'column'>): Listing => {
    const tools = [...good.values()];
    const kept: Diagnostic = {
      severity: 'warning',
      code: 'kept-in-service',
      message: `the file is broken; ${tools.length === 1 ? 'the tool' : `the ${tools.length} tools`} of its last good version stay in service`,
      path,
    };
    return {
      tools,
      diagnostics: [
        ...(problem ? [{ severity: 'error', path, ...problem } as const] : []),
        ...(tools.length > 0 ? [kept] : []),
      ],
    };
  };

  return {
    id: `space:${module}`,
    kind: 'space',
    module,
    description,
    origin: path,
    list() {
      listing ??= read();
      return listing;
    },
    changed(paths) {
      if (!paths.some((changed) => isWithin(changed, path))) return;
      listing = undefined;
      for (const listener of listeners) listener();
    },
    watch(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}

function idOf(entry: unknown): string | undefined {
  const id = (entry as { readonly id?: unknown } | null)?.id;
  return typeof id === 'string' ? id : undefined;
}

function duplicate(id: string, path: string): Diagnostic {
  return {
    severity: 'error',
    code: 'duplicate-id',
    message: `there are two tools "${id}" in this file; the first is used`,
    path,
    hint: 'give one of them another id',
  };
}
