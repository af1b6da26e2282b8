import type { JsonSchema } from '../../../api/result.ts';
import { pointerTo } from '../../../core/documents/pointer.ts';
import { validatorOf } from '../../../core/documents/schema.ts';
import { checkSchema, patternProblem, type SchemaMistake } from './check-schema.ts';
import type { ManifestParameter } from '../../../formats/tool.ts';
import { toProperty } from '../parameters.ts';
import { toJson } from '../../../core/documents/written-numbers.ts';

/** Names that mean something else in a template or in JavaScript. */
const reserved = new Set([
  'this',
  'else',
  'true',
  'false',
  'null',
  'undefined',
  'as',
  'constructor',
  'prototype',
]);

/** Mistakes in `parameters` beyond their shape; pointers are relative to the list. */
export async function checkParameters(
  parameters: readonly ManifestParameter[],
): Promise<readonly SchemaMistake[]> {
  const mistakes: SchemaMistake[] = [];
  const names = new Set<string>();
  for (const [index, parameter] of parameters.entries()) {
    const before = mistakes.length;
    const report: Report = (key, code, message, hint) => {
      const pointer = `${pointerTo(index)}/${key}`;
      mistakes.push({ pointer, code, message, ...(hint !== undefined && { hint }) });
    };
    const { name } = parameter;
    if (names.has(name)) report('name', 'duplicate-parameter', `there are two parameters "${name}"`);
    names.add(name);
    if (reserved.has(name)) report('name', 'reserved-name', `a parameter can't be called "${name}"`);
    checkPlaces(parameter, report);
    if (mistakes.length > before) continue;
    if (!surelyAgree(parameter)) await checkValues(parameter, report);
    if (parameter.items) {
      const inside = await checkSchema({ type: 'object', properties: { items: parameter.items } });
      const prefix = '/properties/items';
      mistakes.push(
        ...inside.map((mistake) => ({
          ...mistake,
          pointer: `${pointerTo(index)}/items${mistake.pointer.slice(prefix.length)}`,
        })),
      );
    }
  }
  return mistakes;
}

type Report = (key: string, code: string, message: string, hint?: string) => void;

/** Keys that only apply to other types. */
function checkPlaces(parameter: ManifestParameter, report: Report): void {
  const { name, type, items } = parameter;
  const itemType = type === 'array' ? ((items?.['type'] as string | undefined) ?? 'string') : type;
  const isNumber = itemType === 'number' || itemType === 'integer';
  const misplaced = (key: keyof ManifestParameter, of: string): void => {
    if (parameter[key] !== undefined)
      report(key, 'misplaced-key', `"${key}" is for ${of}; "${name}" is of type ${type}`);
  };
  if (type !== 'array') misplaced('items', 'arrays');
  if (itemType !== 'string') misplaced('pattern', 'text');
  if (!isNumber) {
    misplaced('minimum', 'numbers');
    misplaced('maximum', 'numbers');
  }
  const { minimum, maximum } = parameter;
  if (minimum !== undefined && maximum !== undefined && minimum > maximum) {
    report('maximum', 'out-of-range', `the maximum ${maximum} is less than the minimum ${minimum}`);
  }
}

/** A quick check that settles nearly all values without loading ajv. It leaves patterns to ajv. */
function surelyAgree(parameter: ManifestParameter): boolean {
  const { type, enum: allowed, pattern, items, default: standard } = parameter;
  if (pattern !== undefined) return false;
  if (allowed === undefined && standard === undefined) return true;
  if (items !== undefined) return false;
  const isArray = type === 'array';
  const fits = (value: unknown): boolean => isPlainly(value, isArray ? 'string' : type, parameter);
  const isAllowed = (value: unknown): boolean => fits(value) && (allowed?.includes(value) ?? true);
  if (allowed && !allowed.every(fits)) return false;
  if (standard === undefined) return true;
  return isArray ? Array.isArray(standard) && standard.every(isAllowed) : isAllowed(standard);
}

function isPlainly(
  value: unknown,
  type: ManifestParameter['type'],
  { minimum = -Infinity, maximum = Infinity }: ManifestParameter,
): boolean {
  switch (type) {
    case 'integer':
    case 'number':
      if (!(type === 'integer' ? Number.isInteger(value) : Number.isFinite(value))) return false;
      return (value as number) >= minimum && (value as number) <= maximum;
    case 'object':
      return value !== null && typeof value === 'object' && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

/** Checks that pattern, enum and default agree with each other and with the type. */
async function checkValues(parameter: ManifestParameter, report: Report): Promise<void> {
  const { name, type, enum: allowed, pattern, default: standard } = parameter;
  if (pattern !== undefined) {
    const problem = await patternProblem(pattern);
    if (problem) return report('pattern', problem.code, problem.message, problem.hint);
  }
  if (allowed !== undefined) {
    const { enum: _, default: __, ...open } = parameter;
    const one = (type === 'array' ? toProperty(open)['items'] : toProperty(open)) as JsonSchema;
    for (const [index, value] of allowed.entries()) {
      const wrong = await mismatch(value, one);
      if (wrong === undefined) continue;
      const message = `${toJson(value)} can't be a value of "${name}": it ${wrong}`;
      return report(`enum/${index}`, 'bad-enum', message, quoteHint(value, wrong));
    }
  }
  if (standard === undefined) return;
  const wrong = await mismatch(standard, toProperty(parameter));
  if (wrong === undefined) return;
  const message = `the default ${toJson(standard)} of "${name}" ${wrong}`;
  report('default', 'bad-default', message, quoteHint(standard, wrong));
}

/** "must be of type string", or undefined when the value fits. */
async function mismatch(value: unknown, property: JsonSchema): Promise<string | undefined> {
  const { description: _, default: __, ...rules } = property;
  const validate = await validatorOf({ type: 'object', properties: { value: rules } });
  const [problem] = validate({ value });
  return problem?.message.replace(/^"value[^"]*" ?/, '');
}

function quoteHint(value: unknown, wrong: string): string | undefined {
  const isText = typeof value === 'number' || typeof value === 'boolean';
  return isText && /type string/.test(wrong) ? 'put it in quotes' : undefined;
}
