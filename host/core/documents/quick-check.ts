import type { JsonSchema } from '../../api/result.ts';

type Check = (value: unknown) => boolean;
type Members = { readonly [key: string]: unknown };

const checks = new WeakMap<JsonSchema, Check>();

/**
 * Whether `value` certainly satisfies `schema`. False if it doesn't, or if the schema uses keywords that this can't
 * check. For our own file schemas: without errors in a home, no validator is loaded, which would take longer than the
 * rest of a command. Otherwise ajv decides and explains.
 */
export function passesQuickCheck(value: unknown, schema: JsonSchema): boolean {
  let check = checks.get(schema);
  if (!check) checks.set(schema, (check = toCheck(schema)));
  return check(value);
}

function toCheck(schema: JsonSchema): Check {
  const parts = Object.keys(schema)
    .filter((keyword) => !judgedTogether.has(keyword) && !annotations.has(keyword))
    .map((keyword) => keywords[keyword]?.(schema[keyword] as never) ?? unsure);
  if ([...judgedTogether].some((keyword) => schema[keyword] !== undefined)) parts.push(membersCheck(schema));
  const [only] = parts;
  if (parts.length === 1) return only!;
  return (value) => {
    for (const part of parts) if (!part(value)) return false;
    return true;
  };
}

const unsure: Check = () => false;

/** They say nothing about which values are right. */
const annotations = new Set(['$schema', '$id', 'title', 'description', 'examples', 'default', 'unknownKeys']);

const judgedTogether = new Set(['properties', 'additionalProperties', 'required']);

/** Checks all members in one pass. */
function membersCheck(schema: JsonSchema): Check {
  const {
    properties = {},
    additionalProperties = true,
    required = [],
  } = schema as {
    readonly properties?: { readonly [name: string]: JsonSchema };
    readonly additionalProperties?: boolean | JsonSchema;
    readonly required?: readonly string[];
  };
  const known = new Map(Object.entries(properties).map(([name, property]) => [name, toCheck(property)]));
  const others: Check =
    typeof additionalProperties === 'object' ? toCheck(additionalProperties) : () => additionalProperties;
  return (value) => {
    if (!isObject(value)) return true;
    for (const name of required) if (!Object.hasOwn(value, name)) return false;
    // Parsed values inherit nothing, so `in` needs no own-property check.
    for (const name in value) if (!(known.get(name) ?? others)(value[name])) return false;
    return true;
  };
}

const keywords: { readonly [keyword: string]: (argument: never) => Check } = {
  type: (type: string | readonly string[]) => {
    const judges = [type].flat().map((name) => types[name] ?? unsure);
    const [only] = judges;
    return judges.length === 1 ? only! : (value) => judges.some((judge) => judge(value));
  },
  propertyNames: (names: JsonSchema) => {
    const check = toCheck(names);
    return (value) => !isObject(value) || Object.keys(value).every(check);
  },
  items: (items: JsonSchema) => {
    const check = toCheck(items);
    return (value) => !Array.isArray(value) || value.every(check);
  },
  minItems: (least: number) => (value) => !Array.isArray(value) || value.length >= least,
  maxItems: (most: number) => (value) => !Array.isArray(value) || value.length <= most,
  enum: (allowed: readonly unknown[]) => (value) => allowed.includes(value),
  // Only for patterns of our own schemas, which run in linear time.
  pattern: (pattern: string) => {
    const expression = new RegExp(pattern, 'u');
    return (value) => typeof value !== 'string' || expression.test(value);
  },
  // Counts UTF-16 units: at least the number of characters and at most twice as many.
  minLength: (least: number) => (value) =>
    typeof value !== 'string' || value.length >= least * 2 || Array.from(value).length >= least,
  maxLength: (most: number) => (value) => typeof value !== 'string' || value.length <= most,
  minimum: (least: number) => (value) => typeof value !== 'number' || value >= least,
  maximum: (most: number) => (value) => typeof value !== 'number' || value <= most,
  exclusiveMinimum: (least: number) => (value) => typeof value !== 'number' || value > least,
  anyOf: (schemas: readonly JsonSchema[]) => {
    const alternatives = schemas.map(toCheck);
    return (value) => alternatives.some((check) => check(value));
  },
  // Only for alternatives with different required keys, which can be checked exactly.
  oneOf: (schemas: readonly JsonSchema[]) => {
    const rules = schemas.flatMap((schema) =>
      Object.keys(schema).filter((keyword) => !annotations.has(keyword)),
    );
    if (rules.some((keyword) => keyword !== 'required')) return unsure;
    const alternatives = schemas.map(toCheck);
    return (value) => alternatives.filter((check) => check(value)).length === 1;
  },
};

const types: { readonly [type: string]: Check } = {
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
