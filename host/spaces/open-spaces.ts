import { join } from 'node:path';
import type { User } from '../core/platform/places.ts';
import type { Registry, ToolSource } from '../api/source.ts';
import { isWithin } from '../core/files/paths.ts';
import type { SpacePins } from './pinned/space-pins.ts';
import { createSpaceReader, spaceFolders } from './read-space.ts';
import type { Space } from './space.ts';

/** A source of a space's tools that takes the paths of changed files. */
interface SpaceSource extends ToolSource {
  /** Rereads those of `paths` that belong to it. */
  changed(paths: readonly string[]): void;
}

/** The spaces of a home as last read, with their tools in the registry. */
export interface OpenSpaces extends AsyncDisposable {
  /** Reads every space; there are none before. Call it once. */
  open(): Promise<void>;
  all(): readonly Space[];
  find(id: string): Space | undefined;
  /** Rereads what changed, opens new spaces and closes removed ones. */
  changed(paths: readonly string[]): Promise<void>;
}

export interface OpenSpacesOptions {
  readonly home: string;
  readonly user: User;
  readonly registry: Registry;
  /** Opens the sources of a space's tools. */
  readonly openSources: (space: () => Space) => readonly SpaceSource[];
  readonly pins: SpacePins;
}

interface OpenSpace {
  space: Space;
  readonly reader: ReturnType<typeof createSpaceReader>;
  /** Empty while the whole space is pending approval. */
  sources: readonly SpaceSource[];
  handles: readonly AsyncDisposable[];
}

export function createOpenSpaces({ home, user, registry, openSources, pins }: OpenSpacesOptions): OpenSpaces {
  const byFolder = new Map<string, OpenSpace>();
  const all = (): readonly Space[] => [...byFolder.values()].map(({ space }) => space);

  const open = async (folder: string): Promise<void> => {
    const reader = createSpaceReader({ home, folder, ...user }, (path) => pins.pendingIn(path));
    const entry: OpenSpace = { space: await reader.read(), reader, sources: [], handles: [] };
    byFolder.set(folder, entry);
    await registerTools(entry);
  };
  /** Registers the tools of a space, or unregisters them while the whole space is pending approval. */
  const registerTools = async (entry: OpenSpace): Promise<void> => {
    const isPending = entry.space.pending?.whole === true;
    if (isPending === (entry.sources.length === 0)) return;
    if (isPending) return await unregisterTools(entry);
    entry.sources = openSources(() => entry.space);
    const handles = [];
    for (const source of entry.sources) handles.push(await registry.add(source));
    entry.handles = handles;
  };
  const unregisterTools = async (entry: OpenSpace): Promise<void> => {
    const { handles } = entry;
    [entry.sources, entry.handles] = [[], []];
    await Promise.all(handles.map((handle) => handle[Symbol.asyncDispose]()));
  };
  const close = async (folder: string): Promise<void> => {
    const entry = byFolder.get(folder)!;
    byFolder.delete(folder);
    await unregisterTools(entry);
  };

  return {
    async open() {
      for (const folder of spaceFolders(home)) await open(folder);
    },
    all,
    find: (id) => all().find((space) => space.id === id),
    async changed(paths) {
      const folders = new Set(spaceFolders(home));
      const removed = [...byFolder.keys()].filter((folder) => !folders.has(folder));
      const pinned = new Map<OpenSpace, readonly string[]>();
      for (const [folder, entry] of byFolder) {
        const own = paths.filter((path) => isWithin(folder, path) || isWithin(path, folder));
        if (own.length === 0) continue;
        // Tools of a space that needs no approval are available at once.
        if (entry.space.pending || pins.pendingIn(folder)) pinned.set(entry, own);
        else for (const source of entry.sources) source.changed(own);
      }
      for (const folder of removed) await close(folder);
      for (const folder of folders) if (!byFolder.has(folder)) await open(folder);
      for (const entry of byFolder.values()) {
        const own = pinned.get(entry);
        if (!own && !paths.some((path) => isDefinition(entry.space.folder, path))) continue;
        entry.space = await entry.reader.read();
        if (!own) continue;
        await registerTools(entry);
        for (const source of entry.sources) source.changed(own);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...byFolder.keys()].map(close));
    },
  };
}

/** Can a change of `path` affect more than the tools of the space? */
function isDefinition(folder: string, path: string): boolean {
  if (isWithin(path, folder)) return true;
  return isWithin(folder, path) && !isWithin(join(folder, 'agent', 'tools'), path);
}
