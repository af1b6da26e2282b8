import type { JsonSchema } from '../api/result.ts';

/**
 * Does `value` certainly satisfy `schema`? False when it doesn't, and when the schema says more than this can judge.
 * For our own schemas of files: a home in which all is well never loads a validator, which would take longer than
 * everything else that a command does. What isn't certain goes to ajv, which also says why.
 */
export function surelyValid(value: unknown, schema: JsonSchema): boolean {
  for (const key in schema) {
    const judge = judges[key];
    if (!judge || !judge(value, schema[key] as never, schema)) return false;
  }
  return true;
}

type Judge = (value: unknown, argument: never, schema: JsonSchema) => boolean;
type Members = { readonly [key: string]: unknown };

const judges: { readonly [keyword: string]: Judge } = {
  type: (value, type: string | readonly string[]) =>
    typeof type === 'string' ? isOfType(value, type) : type.some((one) => isOfType(value, one)),
  properties: (value, properties: { readonly [name: string]: JsonSchema }) => {
    if (!isObject(value)) return true;
    for (const name in value) {
      if (Object.hasOwn(properties, name) && !surelyValid(value[name], properties[name]!)) return false;
    }
    return true;
  },
  additionalProperties: (value, additional: boolean | JsonSchema, schema) => {
    if (!isObject(value) || additional === true) return true;
    const properties = (schema['properties'] ?? {}) as Members;
    for (const name in value) {
      if (Object.hasOwn(properties, name)) continue;
      if (additional === false || !surelyValid(value[name], additional)) return false;
    }
    return true;
  },
  required: (value, names: readonly string[]) =>
    !isObject(value) || names.every((name) => Object.hasOwn(value, name)),
  items: (value, items: JsonSchema) =>
    !Array.isArray(value) || value.every((item: unknown) => surelyValid(item, items)),
  minItems: (value, least: number) => !Array.isArray(value) || value.length >= least,
  maxItems: (value, most: number) => !Array.isArray(value) || value.length <= most,
  enum: (value, allowed: readonly unknown[]) => allowed.includes(value),
  pattern: (value, pattern: string) => typeof value !== 'string' || toRegExp(pattern).test(value),
  // Counts UTF-16 units, of which a text has at least as many as characters.
  minLength: (value, least: number) =>
    typeof value !== 'string' || value.length >= least * 2 || Array.from(value).length >= least,
  maxLength: (value, most: number) => typeof value !== 'string' || value.length <= most,
  minimum: (value, least: number) => typeof value !== 'number' || value >= least,
  maximum: (value, most: number) => typeof value !== 'number' || value <= most,
  exclusiveMinimum: (value, least: number) => typeof value !== 'number' || value > least,
  anyOf: (value, schemas: readonly JsonSchema[]) => schemas.some((schema) => surelyValid(value, schema)),
  // Only for alternatives that ask for other keys each: those this can judge exactly.
  oneOf: (value, schemas: readonly JsonSchema[]) =>
    schemas.every((schema) => Object.keys(schema).join() === 'required') &&
    schemas.filter((schema) => surelyValid(value, schema)).length === 1,
};

const isOfType = (value: unknown, type: string): boolean => types[type]?.(value) ?? false;

const types: { readonly [type: string]: (value: unknown) => boolean } = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: isObject,
  null: (value) => value === null,
};

function isObject(value: unknown): value is Members {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

const compiled = new Map<string, RegExp>();

/** Only for patterns of our own schemas, which are linear; there are few. */
function toRegExp(pattern: string): RegExp {
  let expression = compiled.get(pattern);
  if (!expression) compiled.set(pattern, (expression = new RegExp(pattern, 'u')));
  return expression;
}
