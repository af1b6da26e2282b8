import { relative } from 'node:path';
import type { Environment } from '../agent/models/choice/provider.ts';
import type { Agent } from '../api/agent.ts';
import type { Host } from '../host.ts';
import { agentScope } from '../spaces/agent-scope.ts';
import { shownTools } from '../tools/injection/plan-injection.ts';
import { visibleTools } from '../tools/visible-tools.ts';
import type { DescribedAgent } from './described-agent.ts';
import { defaultAgent } from './default-agent.ts';
import { modelNames, modelVariables } from './model-names.ts';

/** The agents of a home, the one that answers first where it has no file. */
export function describeAgents(host: Host): readonly DescribedAgent[] {
  const variables = modelVariables(host);
  const answers = defaultAgent(host);
  const all = host.spaces.agents;
  const listed = answers === undefined || all.some(({ id }) => id === answers.id) ? all : [answers, ...all];
  return listed.map((agent) => {
    const { id, name, description, space } = agent;
    const tools = visibleTools(host.registry.snapshot, agentScope(agent));
    const file = host.spaces.fileOf(id);
    return {
      id,
      name,
      description,
      space,
      isDefault: id === answers?.id,
      model: modelsOf(host, agent, variables)[0] ?? null,
      tools: tools.domain.length + tools.meta.length,
      listed: shownTools(agent, tools, host.config.toolPreset).size,
      file: file === undefined ? null : relative(host.home, file),
    };
  });
}

/** Empty for a name that can't be resolved, which is reported when a message is sent. */
function modelsOf(host: Host, agent: Agent, variables: Environment): readonly string[] {
  try {
    return modelNames(host, agent, variables);
  } catch {
    return [];
  }
}
