import type { Diagnostic } from '../../../api/diagnostic.ts';
import type { Listing, SourceKind, ToolSource } from '../../../api/source.ts';
import type { Tool } from '../../../api/tool.ts';
import { isFolder, isWithin } from '../../../core/files/paths.ts';
import type { ManifestContext } from '../run/context.ts';
import { findManifests, isManifestPath } from './manifest-files.ts';
import { openManifestFile, readOpened, type ReadManifest } from '../read-manifest.ts';
import { toTool } from '../to-tool.ts';

/** A source of tools in files. It doesn't watch them: its owner reports changes. */
export interface ManifestSource extends ToolSource {
  /** Takes absolute paths. Its own ones are read again at the next listing, and watchers are notified. */
  changed(paths: readonly string[]): void;
}

export interface ManifestDirectoryOptions {
  /** Absolute. Need not exist. */
  readonly folder: string;
  /** The folder of the space or plugin, which tools can't leave; commands run there. */
  readonly root: string;
  readonly module: string;
  readonly kind: SourceKind;
  readonly description: string;
  /** Unique in the host. Default: `<kind>:<module>`. */
  readonly id?: string;
  /** The file is pending approval: it is left out here and reported elsewhere. */
  readonly isLeftOut?: (path: string) => boolean;
  readonly context: ManifestContext;
}

/**
 * Files are parsed in batches of this size, then checked: each phase keeps the processor's caches warm, which saves a
 * third.
 */
const readConcurrency = 32;

/** What is known of one file. */
interface Entry {
  /** From the current file, or from its last version without an error. */
  readonly tool?: Tool;
  /** The file of its function, if it has one. */
  readonly code?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The manifests of a folder. A broken one doesn't affect the others, and its last good version stays in service. Only
 * changed files are read again.
 */
export function createManifestDirectory(options: ManifestDirectoryOptions): ManifestSource {
  const { folder, root, module, kind, description, context, isLeftOut = () => false } = options;
  const boundary = [...context.linkTargets, root];
  const entries = new Map<string, Entry>();
  const listeners = new Set<() => void>();
  let folderDiagnostics: readonly Diagnostic[] = [];
  /** Paths to read again; all of them before the first read and after changes of folders. */
  let dirty: Set<string> | 'all' = 'all';
  let reading: Promise<Listing> | undefined;

  const read = async (paths: readonly string[]): Promise<void> => {
    for (let from = 0; from < paths.length; from += readConcurrency) {
      const batch = paths.slice(from, from + readConcurrency);
      const files = batch.map((path) => ({ path, opened: openManifestFile(path, boundary) }));
      for (const { path, opened } of files) {
        const found = await readOpened(opened, root);
        if (found.missing || isLeftOut(path)) entries.delete(path);
        else entries.set(path, toEntry(found, entries.get(path), context));
      }
    }
  };
  const readAll = async (): Promise<void> => {
    const { paths, diagnostics } = findManifests(folder, boundary);
    const there = new Set(paths);
    for (const path of entries.keys()) {
      // A file that can't be read at the moment still exists.
      const hidden = diagnostics.some((problem) => isWithin(problem.path!, path));
      if (!there.has(path) && !hidden) entries.delete(path);
    }
    folderDiagnostics = diagnostics;
    await read(paths);
  };
  const refresh = async (): Promise<Listing> => {
    while (dirty === 'all' || dirty.size > 0) {
      const now = dirty;
      dirty = new Set();
      if (now === 'all') await readAll();
      else await read([...now]);
    }
    reading = undefined;
    return toListing(entries, folderDiagnostics);
  };
  /** The files that are affected by a changed path. */
  const concerned = (path: string): readonly string[] | 'all' => {
    if (isWithin(path, folder) || folderDiagnostics.some((problem) => problem.path === path)) return 'all';
    if (!isWithin(folder, path)) return [];
    if (isManifestPath(path)) return [path];
    if (isFolder(path) || entries.keys().some((known) => isWithin(path, known))) return 'all';
    return [...entries].filter(([, entry]) => dependsOn(entry, path)).map(([known]) => known);
  };

  return {
    id: options.id ?? `${kind}:${module}`,
    kind,
    module,
    description,
    origin: folder,
    list() {
      if (dirty !== 'all' && dirty.size === 0 && !reading) return toListing(entries, folderDiagnostics);
      // One read at a time. Calls in the meantime share its result, which has all changes so far.
      return (reading ??= refresh());
    },
    changed(paths) {
      let mine = false;
      for (const path of paths) {
        const files = concerned(path);
        if (files.length === 0) continue;
        mine = true;
        if (files === 'all' || dirty === 'all') dirty = 'all';
        else for (const file of files) dirty.add(file);
      }
      if (mine) for (const listener of listeners) listener();
    },
    watch(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}

function toEntry(found: ReadManifest, previous: Entry | undefined, context: ManifestContext): Entry {
  const { manifest, diagnostics } = found;
  if (manifest) {
    const { action } = manifest;
    const code = action.kind === 'handler' && { code: action.file };
    return { tool: toTool(manifest, context), ...code, diagnostics };
  }
  if (!previous?.tool) return { diagnostics };
  return { ...previous, diagnostics: diagnostics.map(keptInService) };
}

/** Adds that the broken file's last good version is still used. */
export function keptInService(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.severity !== 'error') return diagnostic;
  return { ...diagnostic, message: `${diagnostic.message}; the last good version stays in service` };
}

/** A function's file belongs to the manifest, even if it was missing so far. */
function dependsOn({ code, diagnostics }: Entry, path: string): boolean {
  if (code === path) return true;
  return diagnostics.some(({ code }) => code === 'missing-file') && /\.(ts|mts|js|mjs)$/.test(path);
}

function toListing(entries: ReadonlyMap<string, Entry>, folderDiagnostics: readonly Diagnostic[]): Listing {
  const sorted = [...entries.keys()].sort().map((path) => entries.get(path)!);
  return {
    tools: sorted.flatMap(({ tool }) => tool ?? []),
    diagnostics: [...folderDiagnostics, ...sorted.flatMap(({ diagnostics }) => diagnostics)],
  };
}
