import { chooseModels, fullName, withPluginProviders } from '../agent/models/choice/choose.ts';
import type { Environment } from '../agent/models/choice/provider.ts';
import type { Agent } from '../api/agent.ts';
import { environmentOf } from '../home-environment.ts';
import type { Host } from '../host.ts';

/** The variables and secrets with which models are chosen. */
export function modelVariables(host: Pick<Host, 'home' | 'secrets'>): Environment {
  const environment = environmentOf(host.home);
  return new Proxy(
    {},
    {
      get: (_none, variable) =>
        typeof variable === 'string' ? (environment[variable] ?? host.secrets.get(variable)) : undefined,
    },
  );
}

/** Names of an agent's models as configured, in the order in which they are tried. Throws PEG_CONFIG for an unknown one. */
export function modelNames(
  host: Pick<Host, 'config' | 'plugins'>,
  { brain }: Pick<Agent, 'brain'>,
  variables: Environment,
): readonly string[] {
  const ofPlugins = host.plugins.instances.flatMap(({ models }) => Object.keys(models));
  return chooseModels(brain, withPluginProviders(host.config.models, ofPlugins), variables).map(fullName);
}
