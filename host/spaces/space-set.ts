import { join } from 'node:path';
import type { Agent, Identity, Skill } from '../api/agent.ts';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { Dispatch } from '../api/dispatch.ts';
import type { Logger } from '../api/log.ts';
import type { SandboxRule } from '../api/sandbox.ts';
import type { Platform } from '../core/requirements.ts';
import type { HookOwner } from '../dispatch/hook-table.ts';
import { isWithin } from '../core/files/paths.ts';
import { isVisible } from '../tools/access.ts';
import { createAgentRoster } from './agent-roster.ts';
import { agentScope } from './agent-scope.ts';
import { defaultSpace } from './find-agent.ts';
import { createModuleChecks } from './module-checks.ts';
import { createSkillCatalog } from './skills/skill-catalog.ts';
import { createOpenSpaces, type OpenSpaces, type OpenSpacesOptions } from './open-spaces.ts';
import { createSetupSteps, type SetupRequest } from './setup-steps.ts';
import { pendingTools } from './pinned/pending-tools.ts';
import type { SpaceReview } from './pinned/space-pins.ts';
import type { Space } from './space.ts';

/** All spaces of a home, kept up to date with its files. */
export interface SpaceSet extends AsyncDisposable {
  /** Reads every space; there are none before. Call it once. Setup steps of agents run through `dispatch`. */
  open(dispatch: Dispatch): Promise<void>;
  readonly all: readonly Space[];
  readonly agents: readonly Agent[];
  readonly hooks: readonly HookOwner[];
  readonly diagnostics: readonly Diagnostic[];
  /** The subset about agents: modules and tools that their files name, ids and defaults that collide. */
  readonly agentDiagnostics: readonly Diagnostic[];
  /** See `AgentRoster.find`. */
  agentFor(name?: string): Agent;
  /** The file of an agent; undefined for one without. Throws PEG_USAGE for an unknown id. */
  fileOf(id: string): string | undefined;
  /** See `chooseDefaultAgent`. Returns the changed files. Throws PEG_USAGE for an unknown agent. */
  chooseDefault(name: string): Promise<readonly string[]>;
  /** The sandboxes for programs of a tool of `module`: the space's own, and those of the agents that it is called for. */
  sandboxesOf(module: string, agents: readonly string[]): readonly (SandboxRule | undefined)[];
  /** SOUL.md and IDENTITY.md of the agent's space, and its USER.md or else that of the space `personal`. */
  identityOf(agent: Agent): Identity;
  /** Skills of the agent's space and of plugins, without those that lack a requirement. */
  skillsOf(agent: Agent): readonly Skill[];
  /** Rereads the skills of plugins. */
  readSkills(): Promise<void>;
  /** Call it before a turn of the agent: resolves when its setup steps have run. Throws a PegboardError that names the step. */
  setUp(agent: Agent, request?: SetupRequest): Promise<void>;
  /** Compares the modules that agents' files name with those that are registered, now and after each change. */
  checkModules(): Promise<void>;
  /** See `SpacePins.isForeign`; false for what lies in no space. */
  isForeign(path: string): boolean;
  /** What is pending approval in the space with this id, or undefined. */
  review(space: string): SpaceReview | undefined;
  /** Approves a space as it was reviewed. Throws PEG_DENIED when it has changed since. */
  approve(review: SpaceReview): Promise<void>;
  /** The approved spaces, with the time in ISO 8601. */
  approved(): readonly { readonly name: string; readonly at: string }[];
  /** Revokes the approval of a space, so that what others write in it is pending again. */
  revoke(space: string): Promise<void>;
  /** Applies changes under `<home>/spaces`. Without paths only the skills of plugins are reread. */
  changed(paths: readonly string[]): Promise<void>;
  /** Called after spaces or agents changed. The registry announces changes of tools. */
  onChange(listener: () => void): Disposable;
}

export interface SpaceSetOptions extends OpenSpacesOptions {
  readonly environment: Platform;
  /** A variable of the environment, or a secret. */
  readonly resolve: (name: string) => string | undefined;
  /** The folders of the running plugins, whose skills are offered in every space. */
  readonly pluginFolders: () => readonly string[];
  readonly log: Logger;
}

export function createSpaceSet(options: SpaceSetOptions): SpaceSet {
  const { home, user, registry, log } = options;
  /** Set by `open`. */
  let dispatch: Dispatch;
  const listeners = new Set<() => void>();
  let hooks: readonly HookOwner[] = [];

  const spaces = createOpenSpaces(options);
  const roster = createAgentRoster(home, user);
  const catalog = createSkillCatalog({
    ...options,
    hasTool: (name) => registry.snapshot.find(name) !== undefined,
  });
  const checks = createModuleChecks(
    registry,
    { agents: () => roster.agents, manifests: () => spaces.all().flatMap(({ manifest }) => manifest ?? []) },
    log,
  );
  const explaining = registry.explainAbsent(() => pendingTools(spaces.all()));
  const setup = createSetupSteps((request) => dispatch(request), registry);

  const announce = (): void => {
    roster.update(spaces.all());
    hooks = [checks.guard, ...roster.hooks];
    for (const listener of listeners) listener();
  };
  const changed = async (paths: readonly string[]): Promise<void> => {
    await spaces.changed(paths);
    await catalog.read();
    announce();
    await checks.refresh();
  };

  return {
    async open(provided) {
      dispatch = provided;
      await spaces.open();
      announce();
    },
    get all() {
      return spaces.all();
    },
    get agents() {
      return roster.agents.map(({ agent }) => agent);
    },
    get hooks() {
      return hooks;
    },
    get diagnostics() {
      return [
        ...spaces.all().flatMap((space) => space.diagnostics),
        ...roster.conflicts,
        ...catalog.diagnosticsOf(spaces.all()),
        ...checks.diagnostics,
        ...setup.diagnosticsOf(roster.agents),
      ];
    },
    get agentDiagnostics() {
      return [...roster.conflicts, ...checks.diagnostics];
    },
    agentFor: (name) => roster.find(name).agent,
    fileOf: (id) => roster.find(id).document?.path,
    async chooseDefault(name) {
      const { chooseDefaultAgent } = await import('./choose-default.ts');
      const files = await chooseDefaultAgent(roster.find(name), roster.agents, home);
      await changed(files);
      return files;
    },
    sandboxesOf: (module, of) => roster.sandboxesOf(module, of),
    identityOf: ({ space }) => identityIn(spaces.find(space), spaces.find(defaultSpace)),
    skillsOf(agent) {
      const scope = agentScope(agent);
      const own = spaces.find(agent.space)?.skills ?? [];
      return catalog.offered(own, (name) => {
        const tool = registry.snapshot.find(name);
        return tool !== undefined && isVisible(tool, scope);
      });
    },
    async setUp({ id }, request) {
      const one = roster.agents.find(({ agent }) => agent.id === id);
      if (one) await setup.run(one, request);
    },
    async readSkills() {
      await catalog.read();
      announce();
    },
    checkModules: () => checks.refresh(),
    ...approvals({ ...options, spaces, changed }),
    changed,
    onChange(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    async [Symbol.asyncDispose]() {
      explaining[Symbol.dispose]();
      checks[Symbol.dispose]();
      await spaces[Symbol.asyncDispose]();
    },
  };
}

/** What the owner approves of spaces that others write. */
function approvals({
  home,
  pins,
  spaces,
  changed,
}: Pick<SpaceSetOptions, 'home' | 'pins'> &
  Pick<SpaceSet, 'changed'> & { readonly spaces: OpenSpaces }): Pick<
  SpaceSet,
  'isForeign' | 'review' | 'approve' | 'approved' | 'revoke'
> {
  return {
    isForeign: (path) =>
      spaces.all().some(({ folder }) => isWithin(folder, path) && pins.isForeign(folder, path)),
    review(id) {
      const space = spaces.find(id);
      return space && pins.review(space.folder);
    },
    async approve(review) {
      const { folder } = spaces.find(review.space)!;
      await pins.approve(folder, review);
      await changed([folder]);
    },
    approved: () => pins.approved(),
    async revoke(id) {
      await pins.revoke(id);
      await changed([join(home, 'spaces', id)]);
    },
  };
}

/** The identity of a space; without a USER.md it gets the one of the space `personal`. */
function identityIn(space: Space | undefined, personal: Space | undefined): Identity {
  const own = space?.identity ?? {};
  const user = personal?.identity.user;
  return own.user !== undefined || user === undefined ? own : { ...own, user };
}
