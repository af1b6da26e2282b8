import { nameMistake } from '../../agent/models/choice/choose.ts';
import { addressMistake } from '../../agent/models/choice/provider.ts';
import { usageError } from '../parse.ts';
import { readStdin } from '../tools/given-text.ts';
import { showForm } from '../terminal/show-form.ts';
import { nameAtAddress } from './ask-for-model.ts';
import { importSources } from './import-step.ts';
import type { SetupPlace } from './step.ts';

/** Each of them gives a step something to do without questions. */
const wishes = ['model', 'telegram-token-stdin', 'import', 'self', 'service'] as const;
/** What each step reads: with --skip of that step they would be ignored. */
const optionsOf: { readonly [step: string]: readonly string[] } = {
  model: ['model', 'base-url', 'model-key-stdin'],
  telegram: ['telegram-token-stdin'],
  import: ['import'],
  self: ['self'],
  service: ['service'],
};
/** Says more about the model that --model names. */
const ofModel = {
  'base-url': 'the name of the model there',
  'model-key-stdin': 'the model that the key is for',
} as const;

/** What the options that read a secret from stdin call it, and ask for on a terminal. */
const onStdin = {
  'model-key-stdin': { what: 'key', question: 'Key for the model' },
  'telegram-token-stdin': { what: 'token', question: 'Token of the bot' },
} as const;

/** Why a text can't be a key or token, as the end of a sentence. */
const keyMistake = (text: string): string | undefined =>
  /^[\x21-\x7e]*$/.test(text)
    ? undefined
    : 'has spaces, line ends or other characters that no key or token has: give it alone, in one line.';

/** The same as a form says it. */
export const sayKeyMistake = (text: string | undefined): string | undefined => {
  const mistake = keyMistake(text?.trim() ?? '');
  return mistake === undefined ? undefined : `What you typed ${mistake}`;
};

/**
 * The key or token on stdin, or asked for on a terminal, which would show what is typed otherwise. Undefined: no option
 * reads one, or the question was cancelled, which interrupts `place`. Throws PEG_USAGE when there is none.
 */
export async function readSecret(
  place: Pick<SetupPlace, 'options' | 'command' | 'terminal' | 'signal' | 'interrupt'>,
): Promise<string | undefined> {
  const { options, command } = place;
  const [reading, another] = Object.entries(onStdin).filter(([option]) => options.flag(option));
  if (!reading) return undefined;
  if (another) throw usageError(command, `Only one of --${reading[0]} and --${another[0]} can read stdin.`);
  const [option, { what, question }] = reading;
  if (place.terminal.interactive) {
    const validate = (text: string | undefined): string | undefined =>
      text?.trim() ? sayKeyMistake(text) : `There is no ${what} yet; Esc stops here`;
    const typed = await showForm(place, ({ password }, streams) =>
      password({ ...streams, message: question, validate }),
    );
    // The other steps may need it: whoever gives none wants none of them.
    if (typed === undefined) place.interrupt();
    return typed?.trim();
  }
  const secret = (await readStdin()).trim();
  if (secret === '') throw usageError(command, `--${option}: there is no ${what} on stdin.`);
  const mistake = keyMistake(secret);
  if (mistake !== undefined) throw usageError(command, `--${option}: what is on stdin ${mistake}`);
  return secret;
}

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
  check('import', importSources);
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
      throw usageError(command, `--${name} needs --model, ${why}.`);
  const model = options.value('model');
  const unnamed = model !== undefined && nameMistake(options.flag('base-url') ? nameAtAddress(model) : model);
  if (unnamed) throw usageError(command, `--model: ${unnamed}`);
  const mistake = addressMistake(options.value('base-url') ?? 'https://none');
  if (mistake !== undefined) throw usageError(command, `--base-url ${mistake}`);
  if (!asks && !wishes.some((wish) => options.flag(wish)))
    throw usageError(
      command,
      'There is nothing to set up: say what with --model, --telegram-token-stdin, --import, --self or --service, or run this on a terminal without --yes, where it asks.',
    );
}
