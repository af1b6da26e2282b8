import type { Diagnostic } from '../api/diagnostic.ts';
import type { Registry, ToolSource } from '../api/source.ts';
import { isWithin } from '../core/paths.ts';
import type { HookOwner } from '../dispatch/hook-table.ts';
import { agentHooks } from './agent-hooks.ts';
import { readSpace, spaceFolders } from './read-space.ts';
import type { Agent, Space } from './space.ts';

/** A source of a space's tools that can be told which of its files changed. */
export interface SpaceSource extends ToolSource {
  /** Reads those of `paths` that are its own again. */
  changed(paths: readonly string[]): void;
}

/** All spaces of a home, kept in step with its files. */
export interface SpaceSet extends AsyncDisposable {
  readonly all: readonly Space[];
  readonly agents: readonly Agent[];
  readonly hooks: readonly HookOwner[];
  readonly diagnostics: readonly Diagnostic[];
  agent(id: string): Agent | undefined;
  /** Takes over what changed under `<home>/spaces`. */
  changed(paths: readonly string[]): Promise<void>;
  /** After spaces or agents changed; tools are the registry's to announce. */
  onChange(listener: () => void): Disposable;
}

interface Opened {
  space: Space;
  readonly sources: readonly SpaceSource[];
  readonly handles: readonly AsyncDisposable[];
}

/** Opens every space; `openSources` says what a space's tools come from. */
export async function openSpaces(
  home: string,
  registry: Registry,
  openSources: (space: Space) => readonly SpaceSource[],
): Promise<SpaceSet> {
  const opened = new Map<string, Opened>();
  const listeners = new Set<() => void>();
  let hooks: readonly HookOwner[] = [];

  const agents = (): Agent[] => [...opened.values()].flatMap(({ space }) => space.agents);
  const open = async (folder: string): Promise<void> => {
    const space = await readSpace(folder);
    const sources = openSources(space);
    const handles = [];
    for (const source of sources) handles.push(await registry.add(source));
    opened.set(folder, { space, sources, handles });
  };
  const close = async (folder: string): Promise<void> => {
    const { handles } = opened.get(folder)!;
    opened.delete(folder);
    await Promise.all(handles.map((handle) => handle[Symbol.asyncDispose]()));
  };
  const announce = (): void => {
    const onlyAgent = (): boolean => agents().length === 1;
    hooks = [...opened.values()].flatMap(({ space }) =>
      space.agents.map((agent) => agentHooks(space, agent, onlyAgent)),
    );
    for (const listener of listeners) listener();
  };

  for (const folder of spaceFolders(home)) await open(folder);
  announce();

  return {
    get all() {
      return [...opened.values()].map(({ space }) => space);
    },
    get agents() {
      return agents();
    },
    get hooks() {
      return hooks;
    },
    get diagnostics() {
      return [...opened.values()].flatMap(({ space }) => space.diagnostics);
    },
    agent: (id) => agents().find((agent) => agent.id === id),
    async changed(paths) {
      const folders = new Set(spaceFolders(home));
      const gone = [...opened.keys()].filter((folder) => !folders.has(folder));
      for (const [folder, { sources }] of opened) {
        const own = paths.filter((path) => isWithin(folder, path) || isWithin(path, folder));
        if (own.length > 0) for (const source of sources) source.changed(own);
      }
      for (const folder of gone) await close(folder);
      for (const folder of folders) if (!opened.has(folder)) await open(folder);
      const described = paths.filter((path) => /\.(json|ya?ml)$/.test(path) || opened.has(path));
      for (const entry of opened.values()) {
        const { folder } = entry.space;
        if (described.some((path) => isWithin(folder, path))) entry.space = await readSpace(folder);
      }
      announce();
    },
    onChange(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...opened.keys()].map(close));
    },
  };
}
