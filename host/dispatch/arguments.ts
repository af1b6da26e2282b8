import type { RegisteredTool } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { surelyFits } from '../core/documents/flat-schema.ts';
import { copyJson, validatorOf } from '../core/documents/schema.ts';

/** A checked copy, with defaults filled in unless the tool wants its arguments as they came. Throws PEG_INVALID_ARGUMENTS, carrying the schema, so that a model can repair its call. */
export async function checkArguments(tool: RegisteredTool, args: unknown): Promise<unknown> {
  const { fillDefaults = true } = tool;
  const given = copyJson(args ?? {}, fillDefaults ? 'safe' : 'all');
  if (typeof given !== 'object' || Array.isArray(given)) {
    const kind = Array.isArray(given) ? 'an array' : `a ${typeof given}`;
    throw new PegboardError(
      'PEG_INVALID_ARGUMENTS',
      `The arguments of ${tool.id} must be an object, not ${kind}.`,
      { data: { schema: tool.parameters } },
    );
  }
  const defaults = fillDefaults ? 'filled' : 'left';
  if (tool.validateArguments === false || surelyFits(given, tool.parameters, defaults)) return given;
  const known = validatorOf(tool.parameters, defaults);
  const problems = (known instanceof Promise ? await known : known)(given);
  if (problems.length === 0) return given;
  const lines = problems.map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`));
  throw new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `The arguments of ${tool.id} don't fit: ${lines.join('; ')}.`,
    {
      data: { problems, schema: tool.parameters },
    },
  );
}
