import { toJson } from 'pegboard/browser';
import type { JsonSchema } from 'pegboard/browser';

/** How a value is entered. "json": as JSON text, which takes everything. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'object' | 'variants' | 'json';

/** References and parts of `allOf` that are followed: one after another, and in all. */
const maxHops = 8;
const maxParts = 200;

/** The schema with what it refers to, its `allOf`, and null, which is a field left empty, resolved. Pure. */
export function resolve(
  schema: JsonSchema | boolean | undefined,
  root: JsonSchema,
  hops = 0,
  parts = { left: maxParts },
): JsonSchema {
  if (typeof schema !== 'object' || schema === null || hops > maxHops || parts.left-- <= 0) return {};
  const inner = (part: JsonSchema | undefined): JsonSchema => resolve(part, root, hops + 1, parts);
  const { $ref, allOf, ...own } = schema;
  let found: JsonSchema = own;
  if (typeof $ref === 'string') found = merge(inner(target($ref, root)), found);
  for (const part of listOf(allOf)) found = merge(found, inner(part));
  const name = found['anyOf'] === undefined ? 'oneOf' : 'anyOf';
  const branches = listOf(found[name]);
  const real = branches.filter((branch) => branch['type'] !== 'null');
  if (branches.length === 0 || real.length !== 1) return found;
  const { [name]: _branches, ...rest } = found;
  return merge(inner(real[0]), rest);
}

function target(ref: string, root: JsonSchema): JsonSchema | undefined {
  const steps = ref.replace(/^#\/?/, '').split('/').filter(Boolean);
  return steps.reduce<JsonSchema | undefined>((at, step) => {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    return at !== undefined && Object.hasOwn(at, key) ? (at[key] as JsonSchema) : undefined;
  }, root);
}

/** What both say; where they disagree, what `second` says. */
function merge(first: JsonSchema, second: JsonSchema): JsonSchema {
  const properties = { ...propertiesOf(first), ...propertiesOf(second) };
  const required = [...new Set([...requiredOf(first), ...requiredOf(second)])];
  return {
    ...first,
    ...second,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

const listOf = (value: unknown): readonly JsonSchema[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : [];

export const propertiesOf = ({ properties }: JsonSchema): { readonly [name: string]: JsonSchema } =>
  typeof properties === 'object' && properties !== null
    ? (properties as { readonly [name: string]: JsonSchema })
    : {};

export const requiredOf = ({ required }: JsonSchema): readonly string[] =>
  Array.isArray(required) ? (required as readonly string[]) : [];

const scalars: { readonly [type: string]: FieldKind } = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
};

/** Of a resolved schema. */
export function kindOf(schema: JsonSchema, root: JsonSchema): FieldKind {
  if (choicesOf(schema)) return 'choice';
  if (branchesOf(schema, root).length > 1) return 'variants';
  const types = [schema['type']].flat().filter((type) => type !== 'null' && type !== undefined);
  const hasProperties = Object.keys(propertiesOf(schema)).length > 0;
  if (types.length === 0) return hasProperties ? 'object' : 'json';
  if (types.length > 1) return 'json';
  const type = String(types[0]);
  if (type === 'object') return hasProperties ? 'object' : 'json';
  if (type === 'array') return itemKind(schema, root) ? 'list' : 'json';
  return scalars[type] ?? 'json';
}

/** What the items of a list are when each fits in a line; undefined for others. */
export function itemKind(schema: JsonSchema, root: JsonSchema): 'text' | 'number' | undefined {
  const items = resolve(schema['items'] as JsonSchema | undefined, root);
  const type = items['type'];
  if (type === 'string') return 'text';
  return type === 'number' || type === 'integer' ? 'number' : undefined;
}

export interface SchemaChoice {
  readonly value: unknown;
  readonly label: string;
}

/** The values to choose from; undefined when others are possible. */
export function choicesOf(schema: JsonSchema): readonly SchemaChoice[] | undefined {
  const { const: only, enum: values } = schema;
  if (only !== undefined) return [{ value: only, label: labelOf(only) }];
  if (Array.isArray(values))
    return values.filter((value) => value !== null).map((value) => ({ value, label: labelOf(value) }));
  const branches = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])];
  if (branches.length === 0 || !branches.every((branch) => 'const' in branch)) return undefined;
  return branches.map((branch) => ({
    value: branch['const'],
    label: titleOf(branch) ?? labelOf(branch['const']),
  }));
}

const titleOf = ({ title }: JsonSchema): string | undefined =>
  typeof title === 'string' ? title : undefined;

const labelOf = (value: unknown): string => (typeof value === 'string' ? value : toJson(value));

export interface Branch {
  readonly label: string;
  /** With everything that holds for all branches. */
  readonly schema: JsonSchema;
}

/** The forms that a value may have, if there are several. */
export function branchesOf(schema: JsonSchema, root: JsonSchema): readonly Branch[] {
  const { anyOf, oneOf, ...common } = schema;
  const branches = listOf(anyOf ?? oneOf).filter((branch) => branch['type'] !== 'null');
  return branches.map((branch, at) => {
    const resolved = resolve(branch, root);
    const own = requiredOf(resolved).join(', ');
    const type = typeof resolved['type'] === 'string' ? resolved['type'] : '';
    const label = titleOf(resolved) ?? (own === '' ? type : own);
    return { label: label === '' ? `Form ${at + 1}` : label, schema: merge(common, resolved) };
  });
}

/** The branch that a value has most likely: the first whose required members it has. */
export function branchFor(value: unknown, branches: readonly Branch[]): number {
  if (value === undefined) return 0;
  const fits = ({ schema }: Branch): boolean => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [schema['type']].flat().includes(Array.isArray(value) ? 'array' : typeof value);
    return requiredOf(schema).every((name) => Object.hasOwn(value, name));
  };
  return Math.max(0, branches.findIndex(fits));
}

/** Whether a value has everything that is required of it, in all its parts. */
export function isComplete(schema: JsonSchema, value: unknown, root: JsonSchema): boolean {
  const branches = branchesOf(schema, root);
  return branches.length > 1
    ? branches.some((branch) => hasRequired(branch.schema, value, root))
    : hasRequired(schema, value, root);
}

function hasRequired(schema: JsonSchema, value: unknown, root: JsonSchema): boolean {
  const given = (value ?? {}) as { readonly [name: string]: unknown };
  const properties = propertiesOf(schema);
  return requiredOf(schema).every((name) => {
    const member = given[name];
    if (member === undefined || member === '') return false;
    const inner = resolve(properties[name], root);
    return kindOf(inner, root) !== 'object' || isComplete(inner, member, root);
  });
}

/** What a value must be like, in words: "at least 1, at most 9". */
export function limitsOf(schema: JsonSchema): string {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, minLength, maxLength } = schema;
  const { minItems, maxItems, pattern, format } = schema;
  const parts: readonly (readonly [limit: unknown, text: string])[] = [
    [minimum, `at least ${String(minimum)}`],
    [exclusiveMinimum, `more than ${String(exclusiveMinimum)}`],
    [maximum, `at most ${String(maximum)}`],
    [exclusiveMaximum, `less than ${String(exclusiveMaximum)}`],
    [multipleOf, `a multiple of ${String(multipleOf)}`],
    [minLength, `at least ${String(minLength)} characters`],
    [maxLength, `at most ${String(maxLength)} characters`],
    [minItems, `at least ${String(minItems)} items`],
    [maxItems, `at most ${String(maxItems)} items`],
    [pattern, `matching ${String(pattern)}`],
    [format, String(format)],
  ];
  return parts
    .filter(([limit]) => limit !== undefined)
    .map(([, text]) => text)
    .join(', ');
}
