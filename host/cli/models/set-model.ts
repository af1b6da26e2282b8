import type { ModelTest } from '../../agent/models/test-model.ts';
import type { Host } from '../../host.ts';
import { shownLine } from '../../core/foreign/shown-text.ts';
import { pegboard } from '../../core/own-command.ts';
import { writeConfigValue } from '../../write-config.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { askModel } from './ask-model.ts';

/**
 * Makes a model the home's, in its configuration, if it passes a test or is set `anyway`, without one. It is written with its
 * provider: without, another key or address in the environment would change who answers. Throws PEG_CONFIG where `anyway`
 * names a model of no provider, and for a text that can name no model.
 */
export async function setModel(
  host: Host,
  wanted: string,
  {
    anyway,
    ...asking
  }: { readonly terminal: Terminal; readonly signal: AbortSignal; readonly anyway: boolean },
): Promise<{ readonly model: string; readonly tested: ModelTest | undefined }> {
  const { models } = await host.agents();
  const tested = anyway ? undefined : await askModel(models, wanted, asking);
  if (tested && !tested.ok) return { model: tested.model ?? wanted, tested };
  const model = models.check(wanted);
  await writeConfigValue(host.home, host.surroundings, ['models', 'default'], model);
  await host.reloadConfig();
  return { model, tested };
}

/** Also says that nobody has tried it, where that is so. */
export function describeSet(model: string, tested: ModelTest | undefined, file: string): string {
  const name = shownLine(model);
  return tested === undefined
    ? `${file} now names ${name} as the model. It was not tested: \`${pegboard} models test\` does that.`
    : `${name} answers from now on, as ${file} now says.`;
}
