import type { CliSurroundings } from '../surroundings.ts';
import type { JsonSchema } from '../../api/result.ts';
import { mergeWritten, parseJson as parse } from '../../core/documents/written-numbers.ts';
import { messageOf, PegboardError } from '../../core/errors.ts';
import type { Context } from '../command.ts';
import { mistakeIn } from '../../core/documents/mistake-in.ts';
import { asSentence } from '../../core/text/as-sentence.ts';
import { nearest } from '../../core/documents/nearest.ts';
import { propertiesOf, toArguments } from '../values.ts';
import { readGiven } from './given-text.ts';

/** What arguments are read with. */
interface ArgumentReading extends Pick<Context, 'options'> {
  readonly surroundings: Pick<CliSurroundings, 'stdin' | 'cwd'>;
}

/** The arguments of a call: `--args`, overridden by key=value. Throws PEG_USAGE. */
export async function readCallArguments(
  words: readonly string[],
  schema: JsonSchema,
  { options, surroundings }: ArgumentReading,
): Promise<unknown> {
  const given = options.value('args');
  const whole = given === undefined ? {} : parseJson(await readGiven('--args', given, surroundings), given);
  if (words.length === 0) return whole;
  if (whole === null || typeof whole !== 'object' || Array.isArray(whole)) {
    throw new PegboardError(
      'PEG_USAGE',
      '--args must be a JSON object when it is combined with key=value arguments.',
    );
  }
  return mergeWritten(whole, toArguments(words, schema));
}

function parseJson(text: string, given: string): unknown {
  const json = text.replace(/^\ufeff/, '');
  try {
    return parse(json);
  } catch (cause) {
    const place =
      given === '-' ? 'The text on stdin' : given.startsWith('@') ? given.slice(1) : 'The value of --args';
    throw new PegboardError(
      'PEG_USAGE',
      `${place} is not JSON: ${asSentence(mistakeIn(json, 'json') ?? messageOf(cause))}`,
    );
  }
}

/** "nmae → name?" for keys that the schema doesn't name, although it may allow them. */
export function misspelt(words: readonly string[], schema: JsonSchema): readonly string[] {
  const names = Object.keys(propertiesOf(schema));
  return words.flatMap((word) => {
    const key = word.split('=', 1)[0]!;
    const [near] = names.includes(key) ? [] : nearest(key, names);
    return near === undefined ? [] : [`${key} → ${near}?`];
  });
}
