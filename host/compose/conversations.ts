import type { Agents } from '../agent/agents.ts';
import type { RunningTurns } from '../agent/running-turns.ts';
import type { Converse } from '../api/conversation.ts';
import { variables } from '../core/variables.ts';
import { unknownHome } from '../home-trust.ts';
import { describeEnd } from '../meta/describe-job.ts';
import type { PluginSet } from '../plugins/plugin-set.ts';
import type { Search } from '../api/services/search.ts';
import { Scripts } from '../api/services/scripts.ts';
import { agentScope } from '../spaces/agent-scope.ts';
import { chooseSkills } from '../spaces/skills/choose-skills.ts';
import { withSkillList } from '../spaces/skills/list-skills.ts';
import type { SpaceSet } from '../spaces/space-set.ts';
import type { Calls } from './calls.ts';
import type { Foundation } from './foundation.ts';

/** Handles messages to agents. The code is loaded with the first message, not at the start. */
export interface ConversationServices {
  readonly converse: Converse;
  /** Throws PEG_CONFIG for an unknown time zone. */
  readonly agents: () => Promise<Agents>;
}

export interface ConversationServicesOptions {
  readonly calls: Calls;
  readonly plugins: PluginSet;
  readonly spaces: SpaceSet;
  readonly search: Search;
  readonly running: RunningTurns;
}

/** What is opened is closed with `opened`. */
export function createConversationServices(
  foundation: Foundation,
  { calls, plugins, spaces, search, running }: ConversationServicesOptions,
  opened: AsyncDisposableStack,
): ConversationServices {
  const { home, reading, config, registry, redactor, database } = foundation;
  const { timezone, development, log } = foundation;
  const { vectors } = search;

  const open = async (): Promise<Agents> => {
    const { openAgents } = await import('../agent/agents.ts');
    const agents = openAgents({
      home,
      agentFor: (name) => {
        const agent = spaces.agentFor(name);
        return withSkillList(agent, spaces.skillsOf(agent));
      },
      scopeFor: agentScope,
      identityOf: (agent) => spaces.identityOf(agent),
      skillsFor: (agent, turn) =>
        chooseSkills(spaces.skillsOf(agent), turn, (texts) => vectors.cached(texts)),
      turnHooks: () =>
        plugins.instances.map(({ manifest, turn }) => ({ name: `plugin ${manifest.id}`, hooks: turn })),
      takeUndone: (conversation) => calls.changes.takeNews(conversation),
      takeFinishedJobs: async (conversation) =>
        (await foundation.jobs.claimUnreported(conversation)).map(describeEnd),
      embed: async (text) => (await vectors.of([text]))?.[0],
      packVectors: () => search.packVectors(registry.snapshot),
      modelsConfig: () => config.current.config.models,
      spend: () => config.current.config.spend,
      toolPreset: () => config.current.config.toolPreset,
      modelProviders: () => new Map(plugins.instances.flatMap(({ models }) => Object.entries(models))),
      environment: variables(foundation.resolveForModels),
      registry,
      dispatch: calls.dispatch,
      linkedBy: (turn) => foundation.addresses.linkedBy(turn),
      redactor,
      database,
      pausedVersion: () => plugins.use(Scripts)((scripts) => scripts.pausedVersion()),
      running,
      onlyOwnerWrites: async ({ source, externalId }) =>
        ownSources.has(source) || (await ownerChatOf(plugins, source)) === externalId,
      timezone,
      clock: foundation.surroundings.clock,
      development,
      offline: reading,
      log,
    });
    for (const [name, value] of agents.models.secrets()) redactor.add(name, value);
    return agents;
  };
  let opening: Promise<Agents> | undefined;
  opened.defer(async () => (await opening?.catch(() => undefined))?.[Symbol.asyncDispose]());
  const agents = (): Promise<Agents> => (opening ??= open());

  return {
    agents,
    async converse(message) {
      if (reading) throw unknownHome(home, foundation.surroundings);
      const { ask, signal } = message;
      await spaces.setUp(spaces.agentFor(message.agent), { ...(ask && { ask }), ...(signal && { signal }) });
      return await (await agents()).converse(message);
    },
  };
}

/** Where only the owner writes, or the host for them. */
const ownSources: ReadonlySet<string> = new Set(['cli', 'web', 'schedule', 'watcher', 'agent']);

/** Undefined also where the channel can't tell. */
async function ownerChatOf({ instances }: PluginSet, channel: string): Promise<string | undefined> {
  const found = instances.find(({ channels }) => Object.hasOwn(channels, channel))?.channels[channel];
  return await found?.ownerChat?.().catch(() => undefined);
}
