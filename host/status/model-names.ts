import { chooseModels, fullName, withPluginProviders } from '../agent/models/choice/choose.ts';
import type { Environment } from '../agent/models/choice/provider.ts';
import type { Agent } from '../api/agent.ts';
import { variables } from '../core/variables.ts';
import { environmentOf } from '../home-environment.ts';
import type { Host } from '../host.ts';

/** The variables and secrets with which models are chosen. */
export const modelVariables = (host: Pick<Host, 'modelVariable'>): Environment =>
  variables(host.modelVariable);

/** The variables and secrets of a home. */
export function variablesOf(host: Pick<Host, 'home' | 'surroundings' | 'secrets'>): Environment {
  const environment = environmentOf(host.home, host.surroundings);
  return variables((name) => environment[name] ?? host.secrets.get(name));
}

/** Names of an agent's models as configured, in the order in which they are tried. Throws PEG_CONFIG for an unknown one. */
export function modelNames(
  host: Pick<Host, 'config' | 'plugins'>,
  { brain }: Pick<Agent, 'brain'>,
  known: Environment,
): readonly string[] {
  const ofPlugins = host.plugins.instances.flatMap(({ models }) => Object.keys(models));
  return chooseModels(brain, withPluginProviders(host.config.models, ofPlugins), known).map(fullName);
}
