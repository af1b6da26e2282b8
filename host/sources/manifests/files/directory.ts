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
  /** Of absolute paths, those that are its own are read again when it is listed next, and it is announced as changed. */
  changed(paths: readonly string[]): void;
}

export interface ManifestDirectoryOptions {
  /** Absolute. Need not exist. */
  readonly folder: string;
  /** The folder of the space or plugin, which no tool reaches out of; commands run there. */
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

/** Files are opened and parsed by so many, then judged: each half keeps the processor's caches warm, which saves a third. */
const readConcurrency = 32;

/** What is known of one file. */
interface Entry {
  /** Of the file as it is, or as it last was without an error. */
  readonly tool?: Tool;
  /** The file with its function, which is not written in the manifest. */
  readonly code?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The manifests of a folder, each its own: a broken one costs nothing but itself, and where it was good before, that
 * version stays in service. Only what changed is read again.
 */
export function createManifestDirectory(options: ManifestDirectoryOptions): ManifestSource {
  const { folder, root, module, kind, description, context, isLeftOut = () => false } = options;
  const boundary = [...context.linkTargets, root];
  const entries = new Map<string, Entry>();
  const listeners = new Set<() => void>();
  let folderDiagnostics: readonly Diagnostic[] = [];
  /** Paths to read again; everything, before the first time and when folders changed. */
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
      // A file that can't be read at the moment isn't deleted.
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
  /** Which files a changed path concerns. */
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

/** Says that the broken file has not cost anything yet. */
export function keptInService(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.severity !== 'error') return diagnostic;
  return { ...diagnostic, message: `${diagnostic.message}; the last good version stays in service` };
}

/** A function's file belongs to the manifest, also when it was missing so far. */
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
