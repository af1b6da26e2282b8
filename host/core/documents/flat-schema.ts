import type { JsonSchema } from '../../api/result.ts';
import { passesQuickCheck } from './quick-check.ts';
import type { Defaults } from './schema.ts';
import { hasRoundedNumber } from './written-numbers.ts';

/** The keywords of a flat schema for its root, its properties and their items. All other schemas are left to ajv. */
const rootKeywords = new Set(['type', 'properties', 'required', 'additionalProperties']);
const valueKeywords = new Set([
  'type',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minLength',
  'maxLength',
]);
const listKeywords = new Set(['type', 'items', 'minItems', 'maxItems']);
const annotations = new Set(['title', 'description', 'default', 'examples', '$schema']);

/** A flat schema without its annotations, and its properties' defaults. */
interface FlatSchema {
  readonly rules: JsonSchema;
  readonly defaults: readonly (readonly [name: string, value: unknown])[];
}

/** Undefined for a schema that is not flat. */
const flattened = new WeakMap<JsonSchema, FlatSchema | undefined>();

/**
 * Whether `args` certainly match. Most tools take scalars and lists of scalars, and loading ajv for those would
 * dominate the time of a command. False means that ajv has to decide.
 */
export function fitsFlatSchema(args: object, schema: JsonSchema, defaults: Defaults): boolean {
  if (!flattened.has(schema)) flattened.set(schema, flatten(schema));
  const flat = flattened.get(schema);
  if (!flat) return false;
  for (const [name, value] of defaults === 'filled' ? flat.defaults : []) {
    if (!Object.hasOwn(args, name)) (args as Record<string, unknown>)[name] = copyOf(value);
  }
  return !hasRoundedNumber(args) && passesQuickCheck(args, flat.rules);
}

/** Scalars need no copy, and cloning one takes longer than the whole check. */
const copyOf = (value: unknown): unknown =>
  value !== null && typeof value === 'object' ? structuredClone(value) : value;

function flatten(schema: JsonSchema): FlatSchema | undefined {
  if (hasRoundedNumber(schema)) return undefined;
  const root = strip(schema, rootKeywords);
  if (!root || typeof (root['additionalProperties'] ?? true) !== 'boolean') return undefined;
  const { properties: named = {} } = root;
  if (typeof named !== 'object' || named === null) return undefined;
  const written = Object.entries(named as { readonly [name: string]: JsonSchema });
  const properties: Record<string, JsonSchema> = {};
  for (const [name, property] of written) {
    const rules = flattenValue(property);
    if (!rules) return undefined;
    properties[name] = rules;
  }
  const defaults = written
    .filter(([, property]) => property['default'] !== undefined)
    .map(([name, property]) => [name, property['default']] as const);
  return { rules: { ...root, properties }, defaults };
}

function flattenValue(property: unknown): JsonSchema | undefined {
  if (property === null || typeof property !== 'object' || Array.isArray(property)) return undefined;
  const schema = property as JsonSchema;
  if (schema['type'] !== 'array') return isScalar(schema['type']) ? strip(schema, valueKeywords) : undefined;
  const list = strip(schema, listKeywords);
  if (!list || list['items'] === undefined) return list;
  const items = list['items'] as JsonSchema | null;
  const rules = items !== null && isScalar(items['type']) ? strip(items, valueKeywords) : undefined;
  return rules && { ...list, items: rules };
}

const isScalar = (type: unknown): boolean =>
  type === 'string' || type === 'number' || type === 'integer' || type === 'boolean';

/** Without annotations. Undefined if it has a keyword that is not in `known`. */
function strip(schema: JsonSchema, known: ReadonlySet<string>): JsonSchema | undefined {
  const rules = Object.entries(schema).filter(([key]) => !annotations.has(key));
  return rules.every(([key]) => known.has(key)) ? Object.fromEntries(rules) : undefined;
}
