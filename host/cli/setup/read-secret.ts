import { usageError } from '../parse.ts';
import { showForm } from '../terminal/show-form.ts';
import { readSecretStdin } from '../tools/given-text.ts';
import type { SetupPlace } from './step.ts';

/** What the options that read a secret from stdin call it, and ask for on a terminal. */
const onStdin = {
  'model-key-stdin': { what: 'key', question: 'Key for the model' },
  'telegram-token-stdin': { what: 'token', question: 'Token of the bot' },
  'discord-token-stdin': { what: 'token', question: 'Token of the bot' },
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
  const secret = (await readSecretStdin(place.terminal.surroundings.stdin)).trim();
  if (secret === '') throw usageError(command, `--${option}: there is no ${what} on stdin.`);
  const mistake = keyMistake(secret);
  if (mistake !== undefined) throw usageError(command, `--${option}: what is on stdin ${mistake}`);
  return secret;
}
