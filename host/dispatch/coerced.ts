import { stepsOfPointer } from '../core/documents/pointer.ts';
import { parsedJson, rememberNumber, writtenText } from '../core/documents/written-numbers.ts';
import { copyJson } from '../core/documents/schema.ts';
import type { SchemaProblem } from '../core/documents/explain.ts';

/** Keywords by which a value is of the wrong type. */
const aboutTypes: ReadonlySet<string> = new Set(['type', 'enum', 'const', 'anyOf', 'oneOf']);
/** JSON in a text may hold more of it. */
const maxRounds = 4;

/**
 * The arguments as their schema wants them, where a model has written a number, a flag, a list or an object as text, or a
 * number or a flag in place of text: most servers would read it so. Undefined if they don't fit then either.
 */
export async function coerced(
  args: object,
  problems: readonly SchemaProblem[],
  check: (args: object) => Promise<readonly SchemaProblem[]>,
): Promise<object | undefined> {
  const copy = copyJson(args, 'all');
  let left = problems;
  for (let round = 0; round < maxRounds && left.length > 0; round++) {
    const places = new Set(left.filter(({ keyword }) => aboutTypes.has(keyword)).map(({ path }) => path));
    if (![...places].some((path) => coerceAt(copy, path))) return undefined;
    left = await check(copy);
  }
  return left.length === 0 ? copy : undefined;
}

/** Changes the value at this place, where it can be read in another way. */
function coerceAt(args: object, path: string): boolean {
  const steps = stepsOfPointer(path);
  const key = steps.pop();
  let holder: unknown = args;
  for (const step of steps) holder = (holder as { readonly [step: string]: unknown })[step];
  if (key === undefined || typeof holder !== 'object' || holder === null) return false;
  const at = holder as { [key: string]: unknown };
  const value = at[key];
  if (typeof value === 'number' || typeof value === 'boolean') {
    at[key] = writtenText(at, key);
    return true;
  }
  const read = typeof value === 'string' ? parsedJson(value) : undefined;
  if (read === undefined || typeof read === 'string') return false;
  at[key] = read;
  if (typeof read === 'number') rememberNumber(at, key, (value as string).trim());
  return true;
}
