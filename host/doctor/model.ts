import type { Check } from '../api/diagnostic.ts';
import { messageOf } from '../core/errors.ts';
import type { Host } from '../host.ts';
import { failed, ok, warning } from '../status/check.ts';
import { modelNames, modelVariables } from '../status/model-names.ts';
import { howToConnect } from '../status/who-answers.ts';

const timeoutMs = 15_000;

/** Sends one short request to the model of the default agent. */
export async function checkModel(host: Host, signal: AbortSignal): Promise<Check> {
  let names: readonly string[];
  try {
    names = modelNames(host, host.spaces.agentFor(), modelVariables(host));
  } catch (cause) {
    return failed('model', messageOf(cause), howToConnect);
  }
  const [name] = names;
  if (name === undefined)
    return warning('model', 'none is connected: tools, search and schedules work without one', howToConnect);
  // An unknown home is only read.
  if (host.reading) return ok('model', `${name}, not tested`);
  const { models } = await host.agents();
  const tested = await models.test(host.spaces.agentFor().brain.model, { signal, timeoutMs });
  if (!tested.ok) return failed('model', tested.message, howToConnect);
  return ok('model', `${tested.model} answers in ${(tested.ms / 1000).toFixed(1)} s`);
}
