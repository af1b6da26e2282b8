import type { LocalServer } from '../../../agent/models/choice/local-models.ts';
import type { Agent, Skill } from '../../../api/agent.ts';
import type { Host } from '../../../host.ts';
import { modelNames, modelVariables } from '../../../status/model-names.ts';

/** The agent that the person talks to; it may change during a session. */
export interface Partner {
  /** As its file defines it now. Throws PEG_USAGE when it no longer exists. */
  readonly agent: Agent;
  /** The chosen agent; undefined for the home's default agent. */
  readonly chosen: string | undefined;
  /** Throws PEG_USAGE with similar names for an unknown agent. */
  choose(agent: string): void;
  /** Those that `/NAME` can use. */
  readonly skills: readonly Skill[];
  /** Names of its models as configured, in the order in which they are tried. Throws PEG_CONFIG for an unknown one. */
  models(): readonly string[];
  /** Model servers on this machine that could be connected. */
  localServers(): Promise<readonly LocalServer[]>;
}

/** Throws PEG_USAGE for an unknown agent. */
export function createPartner(host: Host, name: string | undefined): Partner {
  const variables = modelVariables(host);
  const { spaces } = host;
  spaces.agentFor(name);
  let chosen = name;
  const partner: Partner = {
    get agent() {
      return spaces.agentFor(chosen);
    },
    get chosen() {
      return chosen;
    },
    choose(agent) {
      chosen = spaces.agentFor(agent).id;
    },
    get skills() {
      return spaces.skillsOf(partner.agent);
    },
    models: () => modelNames(host, partner.agent, variables),
    async localServers() {
      const { findLocalModels } = await import('../../../agent/models/choice/local-models.ts');
      return await findLocalModels(variables);
    },
  };
  return partner;
}

/** An error in an agent or in its model's name counts as one: it is reported when a message is sent. */
export function hasModel(partner: Partner): boolean {
  try {
    return partner.models().length > 0;
  } catch {
    return true;
  }
}
