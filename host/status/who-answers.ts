import type { Check } from '../api/diagnostic.ts';
import { messageOf } from '../core/errors.ts';
import { pegboard } from '../core/own-command.ts';
import type { Host } from '../host.ts';
import { failed, ok, warning } from './check.ts';
import { modelNames, modelVariables } from './model-names.ts';

export const howToConnect = `\`${pegboard} setup\` connects one and tests it`;

/** Which agent answers messages, with which model. The model is not asked. */
export function whoAnswers(host: Host): Check {
  try {
    const agent = host.spaces.agentFor();
    const [name] = modelNames(host, agent, modelVariables(host));
    return name === undefined
      ? warning('agent', `${agent.id}, without a model: it can't answer messages`, howToConnect)
      : ok('agent', `${agent.id} answers, with ${name}`);
  } catch (cause) {
    return failed('agent', messageOf(cause), howToConnect);
  }
}
