import type { ModelTest } from '../../agent/models/test-model.ts';
import type { Host } from '../../host.ts';
import { pegboard } from '../../core/own-command.ts';
import { writeConfigValue } from '../../write-config.ts';
import { oneLine } from '../terminal/safe.ts';

/**
 * Makes a model the home's, in its configuration, if it passes a test or is set `anyway`, without one. Throws PEG_CONFIG
 * where `anyway` names a model of no provider.
 */
export async function setModel(
  host: Host,
  model: string,
  { signal, anyway }: { readonly signal: AbortSignal; readonly anyway: boolean },
): Promise<{ readonly model: string; readonly tested: ModelTest | undefined }> {
  const { models } = await host.agents();
  if (anyway) models.check(model);
  const tested = anyway ? undefined : await models.test(model, { signal });
  if (tested === undefined || tested.ok) {
    await writeConfigValue(host.home, ['models', 'default'], model);
    await host.reloadConfig();
  }
  return { model: tested?.model ?? model, tested };
}

/** Also says that nobody has tried it, where that is so. */
export function describeSet(model: string, tested: ModelTest | undefined, file: string): string {
  const name = oneLine(model);
  return tested === undefined
    ? `${file} now names ${name} as the model. It was not tested: \`${pegboard} models test\` does that.`
    : `${name} answers from now on, as ${file} now says.`;
}
