import { join } from 'node:path';
import type { Agent, Identity, Skill } from '../api/agent.ts';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { Dispatch } from '../api/dispatch.ts';
import type { Logger } from '../api/log.ts';
import type { SandboxRule } from '../api/sandbox.ts';
import type { Registry, ToolSource } from '../api/source.ts';
import { isWithin } from '../core/files/paths.ts';
import type { Platform } from '../core/requirements.ts';
import type { HookOwner } from '../dispatch/hook-table.ts';
import { isVisible } from '../tools/access.ts';
import { agentHooks } from './agent-hooks.ts';
import { agentScope, anyAgent } from './agent-scope.ts';
import { findAgent, homeSpace, noSuchAgent } from './find-agent.ts';
import { middlewareOf } from './middleware.ts';
import { createModuleChecks } from './module-checks.ts';
import { createSkillCatalog } from './skills/skill-catalog.ts';
import { createSpaceReader, duplicateAgent, spaceFolders } from './read-space.ts';
import { createSetupSteps, type SetupRequest } from './setup-steps.ts';
import type { SpacePins, SpaceReview } from './pinned/space-pins.ts';
import type { Space, SpaceAgent } from './space.ts';

/** A source of a space's tools that can be told which of its files changed. */
export interface SpaceSource extends ToolSource {
  /** Reads those of `paths` that are its own again. */
  changed(paths: readonly string[]): void;
}

/** All spaces of a home, kept in step with its files. */
export interface SpaceSet extends AsyncDisposable {
  /** Reads every space of the home, once; there are none before. Setup steps of agents run through `dispatch`. */
  open(dispatch: Dispatch): Promise<void>;
  readonly all: readonly Space[];
  readonly agents: readonly Agent[];
  readonly hooks: readonly HookOwner[];
  readonly diagnostics: readonly Diagnostic[];
  /** Those among them about what agents' files say of modules and tools. */
  readonly moduleDiagnostics: readonly Diagnostic[];
  /** By id; without one the agent of the space `personal`, else one that may use everything. Throws PEG_USAGE. */
  agentFor(name?: string): Agent;
  /** What the programs of a tool of `module` are confined to when an agent calls it, undefined being the owner. */
  sandboxesOf(module: string, agent: string | undefined): readonly (SandboxRule | undefined)[];
  /** SOUL.md and IDENTITY.md of its space; USER.md too, or else that of the space `personal`. */
  identityOf(agent: Agent): Identity;
  /** Skills of its space and of plugins, without those for which something is missing. */
  skillsOf(agent: Agent): readonly Skill[];
  /** Reads those of plugins again. */
  readSkills(): Promise<void>;
  /** Before an agent's turn: its setup steps have run when this resolves. Throws a PegboardError that names the step. */
  setUp(agent: Agent, request?: SetupRequest): Promise<void>;
  /** Compares what agents' files say of modules with those that are registered, from now on after each change. */
  checkModules(): Promise<void>;
  /** What of a space waits for its owner, by id; undefined: nothing. */
  review(space: string): SpaceReview | undefined;
  /** Uses a space as it was reviewed. Throws PEG_DENIED when it has changed since. */
  accept(review: SpaceReview): Promise<void>;
  /** The spaces that were accepted, and when: ISO 8601. */
  accepted(): readonly { readonly name: string; readonly at: string }[];
  /** What somebody else writes of the space waits again. */
  revoke(space: string): Promise<void>;
  /** Takes over what changed under `<home>/spaces`; without any paths, what plugins bring. */
  changed(paths: readonly string[]): Promise<void>;
  /** After spaces or agents changed; tools are the registry's to announce. */
  onChange(listener: () => void): Disposable;
}

export interface SpaceSetOptions {
  readonly home: string;
  readonly registry: Registry;
  readonly environment: Platform;
  /** A variable of the environment, or a secret. */
  readonly resolve: (name: string) => string | undefined;
  /** What a space's tools come from. */
  readonly openSources: (space: () => Space) => readonly SpaceSource[];
  readonly pins: SpacePins;
  /** Of the plugins that run: their skills are offered everywhere. */
  readonly pluginFolders: () => readonly string[];
  readonly log: Logger;
}

interface Opened {
  space: Space;
  readonly reader: ReturnType<typeof createSpaceReader>;
  /** Empty while all of the space is held back. */
  sources: readonly SpaceSource[];
  handles: readonly AsyncDisposable[];
}

export function createSpaceSet(options: SpaceSetOptions): SpaceSet {
  const { home, registry, openSources, pins, log } = options;
  /** From `open` on. */
  let dispatch: Dispatch;
  const opened = new Map<string, Opened>();
  const listeners = new Set<() => void>();
  /** Made once for each version of an agent, so that what its middleware counts isn't forgotten. */
  const owners = new WeakMap<SpaceAgent, readonly HookOwner[]>();
  let hooks: readonly HookOwner[] = [];
  let agents: readonly SpaceAgent[] = [];
  let duplicates: readonly Diagnostic[] = [];
  /** By id: every call asks. */
  let sandboxes = { spaces: noRules, agents: noRules };

  const catalog = createSkillCatalog({
    ...options,
    hasTool: (name) => registry.snapshot.find(name) !== undefined,
  });
  const checks = createModuleChecks(registry, () => agents, log);
  const setup = createSetupSteps((request) => dispatch(request), registry);
  const spaces = (): readonly Space[] => [...opened.values()].map(({ space }) => space);
  const spaceOf = (id: string): Space | undefined => spaces().find((space) => space.id === id);

  const open = async (folder: string): Promise<void> => {
    const reader = createSpaceReader(folder, (held) => pins.heldIn(held));
    const entry: Opened = { space: await reader.read(), reader, sources: [], handles: [] };
    opened.set(folder, entry);
    await offer(entry);
  };
  /** Adds the tools of a space, or takes them back when all of it is held back. */
  const offer = async (entry: Opened): Promise<void> => {
    const isHeld = entry.space.held?.whole === true;
    if (isHeld === (entry.sources.length === 0)) return;
    if (isHeld) return await takeBack(entry);
    entry.sources = openSources(() => entry.space);
    const handles = [];
    for (const source of entry.sources) handles.push(await registry.add(source));
    entry.handles = handles;
  };
  const takeBack = async (entry: Opened): Promise<void> => {
    const { handles } = entry;
    [entry.sources, entry.handles] = [[], []];
    await Promise.all(handles.map((handle) => handle[Symbol.asyncDispose]()));
  };
  const close = async (folder: string): Promise<void> => {
    const entry = opened.get(folder)!;
    opened.delete(folder);
    await takeBack(entry);
  };
  const announce = (): void => {
    ({ agents, duplicates } = distinct(spaces().flatMap((space) => space.agents)));
    sandboxes = { spaces: rulesOf(spaces()), agents: rulesOf(agents.map(({ agent }) => agent)) };
    const onlyAgent = (): boolean => agents.length === 1;
    hooks = [
      checks.guard,
      ...agents.flatMap((one) => {
        let own = owners.get(one);
        if (!own) owners.set(one, (own = [...middlewareOf(one.agent), agentHooks(one.agent, onlyAgent)]));
        return own;
      }),
    ];
    for (const listener of listeners) listener();
  };
  const agentFor = (name: string | undefined): SpaceAgent => {
    if (name !== undefined) {
      const found = findAgent(agents, name);
      if (found) return found;
      throw noSuchAgent(name, agents, spaces());
    }
    const own = agents.find(({ agent }) => agent.space === homeSpace);
    if (own) return own;
    // A broken file doesn't put somebody with more rights in its place.
    if (spaceOf(homeSpace)) throw noSuchAgent(homeSpace, agents, spaces());
    return anyAgent(home);
  };

  const changed = async (paths: readonly string[]): Promise<void> => {
    const folders = new Set(spaceFolders(home));
    const gone = [...opened.keys()].filter((folder) => !folders.has(folder));
    const judged = new Map<Opened, readonly string[]>();
    for (const [folder, entry] of opened) {
      const own = paths.filter((path) => isWithin(folder, path) || isWithin(path, folder));
      if (own.length === 0) continue;
      // Tools of a space that nobody has to accept are there at once.
      if (entry.space.held || pins.heldIn(folder)) judged.set(entry, own);
      else for (const source of entry.sources) source.changed(own);
    }
    for (const folder of gone) await close(folder);
    for (const folder of folders) if (!opened.has(folder)) await open(folder);
    for (const entry of opened.values()) {
      const own = judged.get(entry);
      if (!own && !paths.some((path) => describes(entry.space.folder, path))) continue;
      entry.space = await entry.reader.read();
      if (!own) continue;
      await offer(entry);
      for (const source of entry.sources) source.changed(own);
    }
    await catalog.read();
    announce();
    await checks.refresh();
  };

  return {
    async open(lent) {
      dispatch = lent;
      for (const folder of spaceFolders(home)) await open(folder);
      announce();
    },
    get all() {
      return spaces();
    },
    get agents() {
      return agents.map(({ agent }) => agent);
    },
    get hooks() {
      return hooks;
    },
    get diagnostics() {
      return [
        ...spaces().flatMap((space) => space.diagnostics),
        ...duplicates,
        ...catalog.diagnosticsOf(spaces()),
        ...checks.diagnostics,
        ...setup.diagnosticsOf(agents),
      ];
    },
    get moduleDiagnostics() {
      return checks.diagnostics;
    },
    agentFor: (name) => agentFor(name).agent,
    sandboxesOf(module, agent) {
      return [sandboxes.spaces.get(module), agent === undefined ? undefined : sandboxes.agents.get(agent)];
    },
    identityOf({ space }) {
      const own = spaceOf(space)?.identity ?? {};
      const user = own.user ?? spaceOf(homeSpace)?.identity.user;
      return user === undefined || user === own.user ? own : { ...own, user };
    },
    skillsOf(agent) {
      const scope = agentScope(agent);
      const hasTool = (name: string): boolean => {
        const tool = registry.snapshot.find(name);
        return tool !== undefined && isVisible(tool, scope);
      };
      return catalog.offered(spaceOf(agent.space)?.skills ?? [], hasTool);
    },
    async setUp({ id }, request) {
      const one = agents.find(({ agent }) => agent.id === id);
      if (one) await setup.run(one, request);
    },
    async readSkills() {
      await catalog.read();
      announce();
    },
    checkModules: () => checks.refresh(),
    review: (id) => {
      const space = spaceOf(id);
      return space && pins.review(space.folder);
    },
    async accept(review) {
      const { folder } = spaceOf(review.space)!;
      await pins.accept(folder, review);
      await changed([folder]);
    },
    accepted: () => pins.accepted(),
    async revoke(id) {
      await pins.revoke(id);
      await changed([join(home, 'spaces', id)]);
    },
    changed,
    onChange(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    async [Symbol.asyncDispose]() {
      checks[Symbol.dispose]();
      await Promise.all([...opened.keys()].map(close));
    },
  };
}

const noRules: ReadonlyMap<string, SandboxRule | undefined> = new Map();
const rulesOf = (owners: readonly (Space | Agent)[]): typeof noRules =>
  new Map(owners.map(({ id, sandbox }) => [id, sandbox]));

/** Does a change of `path` concern what the space says of itself, and not only its tools? */
function describes(folder: string, path: string): boolean {
  if (isWithin(path, folder)) return true;
  return isWithin(folder, path) && !isWithin(join(folder, 'agent', 'tools'), path);
}

/** The first of those with one id is the one that is meant. */
function distinct(all: readonly SpaceAgent[]): {
  readonly agents: readonly SpaceAgent[];
  readonly duplicates: readonly Diagnostic[];
} {
  const agents = new Map<string, SpaceAgent>();
  const duplicates: Diagnostic[] = [];
  for (const one of all) {
    const rival = agents.get(one.agent.id);
    if (rival) duplicates.push(duplicateAgent(one, rival));
    else agents.set(one.agent.id, one);
  }
  return { agents: [...agents.values()], duplicates };
}
