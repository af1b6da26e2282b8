import type { JsonSchema } from '../api/result.ts';
import type { RegisteredTool } from '../api/tool.ts';
import type { Logger } from '../api/log.ts';
import { messageOf, PegboardError } from '../core/errors.ts';
import { findChanged, keepWritten, whyNotRepresentable } from '../core/documents/written-numbers.ts';
import type { SchemaProblem } from '../core/documents/explain.ts';
import { fitsFlatSchema } from '../core/documents/flat-schema.ts';
import { coerced } from './coerced.ts';
import { copyJson, validatorOf, type Defaults } from '../core/documents/schema.ts';

/**
 * A validated copy, with defaults filled in unless the tool wants its arguments unchanged; for a foreign tool, also what
 * its schema accepts in another notation. Throws PEG_INVALID_ARGUMENTS, carrying the schema, so that a model can repair
 * its call.
 */
export async function checkArguments(tool: RegisteredTool, args: unknown, log: Logger): Promise<unknown> {
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
  if (tool.validateArguments === false) return given;
  // The fast path of most calls, without ajv.
  if (fillDefaults && fitsFlatSchema(given, tool.parameters, 'filled')) return given;
  const check = (value: object): Promise<readonly SchemaProblem[]> =>
    fillDefaults ? problemsOf(tool, value, 'filled') : problemsOfForeign(tool, value, log);
  const problems = await check(given);
  if (problems.length === 0) return given;
  const asWanted = fillDefaults ? undefined : await coerced(given, problems, check);
  if (asWanted) return asWanted;
  const lines = problems.map(({ message, hint }) => (hint === undefined ? message : `${message} (${hint})`));
  throw new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `The arguments of ${tool.id} don't fit: ${lines.join('; ')}.`,
    {
      data: { problems, schema: tool.parameters },
    },
  );
}

async function problemsOf(
  { parameters }: RegisteredTool,
  args: object,
  defaults: Defaults,
): Promise<readonly SchemaProblem[]> {
  const known = validatorOf(parameters, defaults);
  return (known instanceof Promise ? await known : known)(args);
}

/** Members and items of arguments together: what looks at all of them is done in a few milliseconds. */
const maxValues = 100_000;

/** Throws PEG_INVALID_ARGUMENTS. */
export function checkSize({ id }: RegisteredTool, args: unknown): void {
  const waiting: unknown[] = [args];
  let count = 0;
  for (let at = 0; at < waiting.length; at++) {
    const value = waiting[at];
    if (typeof value !== 'object' || value === null) continue;
    const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    count += inner.length;
    if (count > maxValues)
      throw new PegboardError(
        'PEG_INVALID_ARGUMENTS',
        `The arguments of ${id} have more than ${maxValues.toLocaleString('en')} values. Pass fewer at a time, or a file.`,
      );
    for (const one of inner) if (typeof one === 'object') waiting.push(one);
  }
}

/**
 * Our own tools get JavaScript numbers, so a number that JavaScript would round is refused. Foreign tools, and tools that
 * keep numbers, get them as written; arguments that are passed on to another tool are checked in its own call. Throws
 * PEG_INVALID_ARGUMENTS.
 */
export function checkNumbers(tool: RegisteredTool, args: unknown): void {
  const { id, fillDefaults, preservesNumbers, innerCalls = [] } = tool;
  if (fillDefaults === false || preservesNumbers) return;
  const carried = (path: readonly string[]): boolean =>
    innerCalls.some(({ in: list, args: name }) =>
      list === undefined
        ? path.length === 1 && path[0] === name
        : path.length === 3 && path[0] === list && path[2] === name,
    );
  const changed = findChanged(args, carried);
  if (!changed) return;
  throw new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `The arguments of ${id} don't fit: "${changed.path.slice(0, 200)}" is ${changed.text.slice(0, 80)}, which ${whyNotRepresentable(changed.text)}. Nothing was run. If it is a name or an id, write it as text, where the tool takes text.`,
  );
}

/** Foreign schemas that can't be compiled. */
const uncheckable = new WeakSet<JsonSchema>();

/** A foreign schema that doesn't compile, or overflows the stack, is no reason to refuse the call: the receiver validates. */
async function problemsOfForeign(
  tool: RegisteredTool,
  args: object,
  log: Logger,
): Promise<readonly SchemaProblem[]> {
  if (uncheckable.has(tool.parameters)) return [];
  try {
    if (fitsFlatSchema(args, tool.parameters, 'left')) return [];
    const problems = await problemsOf(tool, withoutOptionalNulls(args, tool.parameters), 'left');
    // JSON Schema leaves it to the receiver whether a format is more than a hint.
    return problems.filter(({ keyword }) => keyword !== 'format');
  } catch (cause) {
    uncheckable.add(tool.parameters);
    log.warn(`the arguments of ${tool.id} are left for its server to validate: ${messageOf(cause)}`);
    return [];
  }
}

/** Many clients send null for an omitted parameter: the receiver decides whether that is valid. */
function withoutOptionalNulls(args: object, { properties = {}, required = [] }: JsonSchema): object {
  const isLeftOut = ([name, value]: readonly [string, unknown]): boolean =>
    value === null &&
    Object.hasOwn(properties as object, name) &&
    !(required as readonly string[]).includes(name);
  return keepWritten(args, Object.fromEntries(Object.entries(args).filter((entry) => !isLeftOut(entry))));
}
