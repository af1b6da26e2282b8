import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { JsonSchema } from '../../api/result.ts';
import { mergeWritten, parseJson as parse } from '../../core/documents/written-numbers.ts';
import { messageOf, PegboardError } from '../../core/errors.ts';
import type { Context } from '../command.ts';
import { nearest } from '../../core/documents/nearest.ts';
import { propertiesOf, toArguments } from '../values.ts';

/** The arguments of a call: `--args`, overridden by key=value. Throws PEG_USAGE. */
export async function readCallArguments(
  words: readonly string[],
  schema: JsonSchema,
  { options }: Pick<Context, 'options'>,
): Promise<unknown> {
  const given = options.value('args');
  const whole = given === undefined ? {} : parseJson(await textOf(given), given);
  if (words.length === 0) return whole;
  if (whole === null || typeof whole !== 'object' || Array.isArray(whole)) {
    throw new PegboardError(
      'PEG_USAGE',
      '--args must be a JSON object when it is combined with key=value arguments.',
    );
  }
  return mergeWritten(whole, toArguments(words, schema));
}

/** "-" is stdin, @FILE a file, anything else the JSON itself. */
async function textOf(given: string): Promise<string> {
  if (given === '-') return readFileSync(0, 'utf8');
  if (!given.startsWith('@')) return given;
  try {
    return await readFile(given.slice(1), 'utf8');
  } catch (cause) {
    throw new PegboardError('PEG_USAGE', `--args ${given}: the file can't be read (${messageOf(cause)}).`, {
      cause,
    });
  }
}

function parseJson(text: string, given: string): unknown {
  try {
    return parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    const place =
      given === '-' ? 'The text on stdin' : given.startsWith('@') ? given.slice(1) : 'The value of --args';
    throw new PegboardError('PEG_USAGE', `${place} is not JSON: ${messageOf(cause)}.`);
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
