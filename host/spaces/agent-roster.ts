import { asSentence } from '../core/text/as-sentence.ts';
import { join } from 'node:path';
import type { User } from '../core/platform/places.ts';
import { pegboard } from '../core/own-command.ts';
import type { Agent } from '../api/agent.ts';
import type { Diagnostic } from '../api/diagnostic.ts';
import type { SandboxRule } from '../api/sandbox.ts';
import { PegboardError } from '../core/errors.ts';
import { describeDiagnostic } from '../core/documents/describe-diagnostic.ts';
import { isFolder } from '../core/files/paths.ts';
import type { HookOwner } from '../dispatch/hook-table.ts';
import { agentHooks, type JudgedAgents } from './agent-hooks.ts';
import { unrestrictedAgent } from './agent-scope.ts';
import { findAgent, defaultSpace, noSuchAgent } from './find-agent.ts';
import { middlewareOf } from './middleware.ts';
import { duplicateAgent } from './read-space.ts';
import type { Space, SpaceAgent } from './space.ts';

/** The agents of all spaces, each id once, with their hooks and sandboxes. */
export interface AgentRoster {
  readonly agents: readonly SpaceAgent[];
  readonly hooks: readonly HookOwner[];
  /** One for each agent that has the id of another and is not used, or that claims to be the default and isn't. */
  readonly conflicts: readonly Diagnostic[];
  /**
   * By id; without a name the one whose file says `default: true`, else the agent of the space `personal`, else one that may
   * use everything. Throws PEG_USAGE, and PEG_BUSY while the folder of a new space `personal` is there and not read yet.
   */
  find(name: string | undefined): SpaceAgent;
  /** See `SpaceSet.sandboxesOf`. Called for every tool call. */
  sandboxesOf(module: string, agents: readonly string[]): readonly (SandboxRule | undefined)[];
  update(spaces: readonly Space[]): void;
}

/** Empty until the first `update`. */
export function createAgentRoster(home: string, user: User): AgentRoster {
  let spaces: readonly Space[] = [];
  let agents: readonly SpaceAgent[] = [];
  let conflicts: readonly Diagnostic[] = [];
  let hooks: readonly HookOwner[] = [];
  let spaceSandboxes: SandboxRules = new Map();
  let agentSandboxes: SandboxRules = new Map();
  /** Created once for each version of an agent, because its middleware counts calls. */
  const created = new WeakMap<SpaceAgent, readonly HookOwner[]>();
  const judged: JudgedAgents = {
    isOnlyAgent: () => agents.length === 1,
    hasFile: (id) => agents.some(({ agent, document }) => agent.id === id && document !== undefined),
  };

  const hooksOf = (one: SpaceAgent): readonly HookOwner[] => {
    let own = created.get(one);
    if (!own) created.set(one, (own = [...middlewareOf(one.agent), agentHooks(one.agent, judged, user.env)]));
    return own;
  };
  return {
    get agents() {
      return agents;
    },
    get hooks() {
      return hooks;
    },
    get conflicts() {
      return conflicts;
    },
    find(name) {
      if (name !== undefined) {
        const found = findAgent(agents, name);
        if (found) return found;
        if (name === defaultSpace && !spaces.some(({ id }) => id === defaultSpace))
          return unrestrictedAgent(home, user);
        throw noSuchAgent(name, agents, spaces);
      }
      const [chosen] = chosenDefaults(agents);
      if (chosen) return chosen;
      // No agent with more rights replaces one that was chosen and is broken.
      const [lost] = spaces.flatMap(({ lostDefault }) => lostDefault ?? []);
      if (lost) throw noDefaultAgent(lost);
      const own = agents.find(({ agent }) => agent.space === defaultSpace);
      if (own) return own;
      // While the file of this agent is broken, no agent with more rights replaces it.
      if (spaces.some(({ id }) => id === defaultSpace)) throw noSuchAgent(defaultSpace, agents, spaces);
      if (isFolder(join(home, 'spaces', defaultSpace))) throw unread(home);
      return unrestrictedAgent(home, user);
    },
    sandboxesOf(module, of) {
      return [spaceSandboxes.get(module), ...of.map((id) => agentSandboxes.get(id))];
    },
    update(next) {
      spaces = next;
      const found = distinct(spaces.flatMap((space) => space.agents));
      ({ agents } = found);
      conflicts = [...found.duplicates, ...tooManyDefaults(agents)];
      spaceSandboxes = sandboxesById(spaces);
      agentSandboxes = sandboxesById(agents.map(({ agent }) => agent));
      hooks = agents.flatMap(hooksOf);
    },
  };
}

/** Of the agents whose files say `default: true`, the one that is used comes first: one of the space `personal` if there is. */
function chosenDefaults(agents: readonly SpaceAgent[]): readonly SpaceAgent[] {
  const isPersonal = ({ agent }: SpaceAgent): number => Number(agent.space === defaultSpace);
  return agents
    .filter(({ agent }) => agent.isDefault)
    .toSorted((one, other) => isPersonal(other) - isPersonal(one));
}

function tooManyDefaults(agents: readonly SpaceAgent[]): readonly Diagnostic[] {
  const [used, ...others] = chosenDefaults(agents);
  return others.map(({ agent, document }) => ({
    severity: 'error',
    code: 'two-defaults',
    message: `two agents are the default: "${used!.agent.id}" of ${used!.document!.path} answers, not "${agent.id}"`,
    path: document!.path,
    ...document!.locate('/default'),
    hint: `take default: true out of one of them, or run \`${pegboard} agents default NAME\``,
  }));
}

const noDefaultAgent = (why: Diagnostic): PegboardError =>
  new PegboardError(
    'PEG_USAGE',
    `The default agent is not in service: ${asSentence(describeDiagnostic(why))} \`${pegboard} agents default NAME\` makes another one the default.`,
  );

const unread = (home: string): PegboardError =>
  new PegboardError(
    'PEG_BUSY',
    `The space "${defaultSpace}" in ${home} is new, and its agent has not been read yet. Try again in a moment; a host that doesn't watch its files reads it when it starts again.`,
  );

type SandboxRules = ReadonlyMap<string, SandboxRule | undefined>;

const sandboxesById = (owners: readonly (Space | Agent)[]): SandboxRules =>
  new Map(owners.map(({ id, sandbox }) => [id, sandbox]));

/** Of several agents with one id the first is used. */
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
