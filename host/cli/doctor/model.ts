import { pegboard } from '../../core/own-command.ts';
import type { Check } from '../../api/diagnostic.ts';
import { messageOf } from '../../core/errors.ts';
import type { Host } from '../../host.ts';
import { createPartner } from '../prompt/chat/partner.ts';
import { failed, ok, warning } from './check.ts';

const timeoutMs = 15_000;
const howTo = `${pegboard} setup connects one and tests it`;

/** Sends one short request to the model of the default agent. */
export async function checkModel(host: Host, signal: AbortSignal): Promise<Check> {
  let names: readonly string[];
  try {
    names = createPartner(host, undefined).models();
  } catch (cause) {
    return failed('model', messageOf(cause), howTo);
  }
  const [name] = names;
  if (name === undefined)
    return ok('model', 'none is connected: tools, search and schedules work without one');
  // An unknown home is only read.
  if (host.reading) return ok('model', `${name}, not tested`);
  const { models } = await host.agents();
  const tested = await models.test(host.spaces.agentFor().brain.model, { signal, timeoutMs });
  if (!tested.ok) return failed('model', tested.message, howTo);
  return ok('model', `${tested.model} answers in ${(tested.ms / 1000).toFixed(1)} s`);
}

/** Who answers, for `pegboard start`. The model is not asked. */
export function whoAnswers(host: Host): Check {
  try {
    const { id } = host.spaces.agentFor();
    const [name] = createPartner(host, undefined).models();
    return name === undefined
      ? warning('agent', `${id}, without a model: it can't answer messages`, howTo)
      : ok('agent', `${id} answers, with ${name}`);
  } catch (cause) {
    return failed('agent', messageOf(cause), howTo);
  }
}
