import { nameMistake } from '../../agent/models/choice/choose.ts';
import { addressMistake } from '../../agent/models/choice/provider.ts';
import { usageError } from '../parse.ts';
import { nameAtAddress } from './ask-for-model.ts';
import type { SetupPlace } from './step.ts';
import { asSentence } from '../../core/text/as-sentence.ts';

/** Each of them gives a step something to do without questions. */
const wishes = ['model', 'telegram-token-stdin', 'discord-token-stdin', 'import', 'self', 'service'] as const;
/** What each step reads: with --skip of that step they would be ignored. */
const optionsOf: { readonly [step: string]: readonly string[] } = {
  model: ['model', 'base-url', 'model-key-stdin'],
  telegram: ['telegram-token-stdin'],
  discord: ['discord-token-stdin'],
  import: ['import'],
  self: ['self'],
  service: ['service'],
};
/** Says more about the model that --model names. */
const ofModel = {
  'base-url': 'the name of the model there',
  'model-key-stdin': 'the model that the key is for',
} as const;

/** Throws PEG_USAGE before anything is changed. */
export function checkOptions(
  { options, command, asks }: Pick<SetupPlace, 'options' | 'command' | 'asks'>,
  steps: readonly string[],
): void {
  const check = (option: string, known: readonly string[]): void => {
    const unknown = options.values(option).find((given) => !known.includes(given));
    if (unknown !== undefined)
      throw usageError(command, `--${option} takes ${known.join(', ')}, not "${unknown}".`);
  };
  check('skip', steps);
  check('import', ['openclaw', 'hermes', 'clients']);
  for (const step of options.values('skip')) {
    const ignored = optionsOf[step]?.find((name) => options.flag(name));
    if (ignored !== undefined)
      throw usageError(
        command,
        `--skip ${step} and --${ignored} contradict each other: leave one of them out.`,
      );
  }
  for (const [name, why] of Object.entries(ofModel))
    if (options.flag(name) && !options.flag('model'))
      throw usageError(command, `--${name} needs --model, ${asSentence(why)}`);
  const model = options.value('model');
  const unnamed = model !== undefined && nameMistake(options.flag('base-url') ? nameAtAddress(model) : model);
  if (unnamed) throw usageError(command, `--model: ${unnamed}`);
  const mistake = addressMistake(options.value('base-url') ?? 'https://none');
  if (mistake !== undefined) throw usageError(command, `--base-url ${mistake}`);
  if (!asks && !wishes.some((wish) => options.flag(wish)))
    throw usageError(
      command,
      'There is nothing to set up: say what with --model, --telegram-token-stdin, --discord-token-stdin, --import, --self or --service, or run this on a terminal without --yes, where it asks.',
    );
}
