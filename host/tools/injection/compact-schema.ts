import type { JsonSchema } from '../../api/result.ts';

const compacted = new WeakMap<JsonSchema, JsonSchema>();
/** Longer enumerations are left out. */
const maxValues = 12;

/**
 * A schema's names and types without descriptions: enough to fill in a call, where models leave an empty schema's call
 * empty. Everything valid for the schema is valid for this one. Cached.
 */
export function compactSchema(schema: JsonSchema): JsonSchema {
  let known = compacted.get(schema);
  if (!known) compacted.set(schema, (known = compact(schema)));
  return known;
}

function compact({ properties, required }: JsonSchema): JsonSchema {
  if (!isObject(properties) || Object.keys(properties).length === 0) return { type: 'object' };
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, typeOf(one)])),
    ...(names.length > 0 && { required: names }),
  };
}

function typeOf(property: unknown): JsonSchema {
  if (!isObject(property)) return {};
  const { type, enum: values, items } = property;
  const isShort = Array.isArray(values) && values.length > 0 && values.length <= maxValues;
  const itemType = type === 'array' && isObject(items) && isType(items['type']) ? items['type'] : undefined;
  return {
    ...(isType(type) && { type }),
    ...(isShort && { enum: values }),
    ...(itemType !== undefined && { items: { type: itemType } }),
  };
}

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

const isType = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((one) => typeof one === 'string' && types.has(one))
    : typeof value === 'string' && types.has(value);

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
