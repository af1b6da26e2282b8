import type { JsonObject, JsonSchema } from '../../../api/result.ts';
import { stepsOf } from '../../../core/documents/pointer.ts';
import { isObject } from '../transport/rpc-message.ts';

const types = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

type Test = (value: unknown) => boolean;
const isText: Test = (value) => typeof value === 'string';
const isNumber: Test = (value) => typeof value === 'number';
const isBoolean: Test = (value) => typeof value === 'boolean';
const isSize: Test = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isSchema: Test = (value) => isObject(value) || isBoolean(value);
const isType: Test = (value) => typeof value === 'string' && types.has(value);
const listOf =
  (test: Test, least = 0): Test =>
  (value) =>
    Array.isArray(value) && value.length >= least && value.every(test);
const mapOf =
  (test: Test): Test =>
  (value) =>
    isObject(value) && Object.values(value).every(test);
const any: Test = () => true;

/** The type of each keyword, in every supported dialect. */
const shapes: { readonly [keyword: string]: Test } = {
  type: (value) => isType(value) || listOf(isType, 1)(value),
  enum: listOf(any, 1),
  required: listOf(isText),
  dependentRequired: mapOf(listOf(isText)),
  ...of(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'], mapOf(isSchema)),
  ...of(['allOf', 'anyOf', 'oneOf', 'prefixItems'], listOf(isSchema, 1)),
  ...of(['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'additionalProperties'], isSchema),
  ...of(['unevaluatedProperties', 'unevaluatedItems'], isSchema),
  ...of(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'], isNumber),
  ...of(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'], isSize),
  ...of(['minContains', 'maxContains'], isSize),
  uniqueItems: isBoolean,
  ...of(['pattern', 'format', '$ref', '$anchor', '$id', '$dynamicRef'], isText),
  ...of(['nullable'], isBoolean),
  ...of(
    ['dependencies'],
    mapOf((value) => isSchema(value) || listOf(isText)(value)),
  ),
  ...of(['additionalItems'], isSchema),
  /** Of draft 4. */
  id: () => false,
};

/** Member names are arbitrary where keywords are names. */
const shapeOf = (keyword: string): Test | undefined =>
  Object.hasOwn(shapes, keyword) ? shapes[keyword] : undefined;

function of(keywords: readonly string[], test: Test): { readonly [keyword: string]: Test } {
  return Object.fromEntries(keywords.map((keyword) => [keyword, test]));
}

/** `items` may be a list up to draft 7. */
const isItems = (value: unknown, lists: boolean): boolean =>
  isSchema(value) || (lists && listOf(isSchema)(value));

/**
 * The first malformed part of a schema found by a quick check: a keyword with an invalid value, a dangling reference,
 * or a pattern for which `patternProblem` has a sentence. The schema's size is limited.
 */
export function schemaShapeProblem(
  root: JsonSchema,
  patternProblem: (pattern: string) => string | undefined,
): string | undefined {
  const lists = /draft-0[467]/.test(String(root['$schema']));
  const visit = (schema: unknown, place: string): string | undefined => {
    if (!isObject(schema)) return undefined;
    for (const [keyword, value] of Object.entries(schema)) {
      const at = `${place}${keyword}`;
      const fits = keyword === 'items' ? isItems(value, lists) : (shapeOf(keyword)?.(value) ?? true);
      if (!fits) return `${at} is ${shorten(value)}`;
      if (keyword === '$ref' && !isResolved(root, value as string))
        return `${at} is ${shorten(value)}, which doesn't exist`;
      if (keyword === 'nullable' && !isNullable(schema))
        return `${at} is ${shorten(value)}, which contradicts its type`;
      for (const pattern of patternsIn(keyword, value)) {
        const problem = patternProblem(pattern);
        if (problem !== undefined) return `${at} has ${shorten(pattern)}, ${problem}`;
      }
      for (const [name, child] of schemasIn(keyword, value)) {
        const found = visit(child, name === '' ? `${at}.` : `${at}.${name}.`);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  return visit(root, '');
}

const oneSchema = new Set(
  'items not if then else contains propertyNames additionalProperties unevaluatedProperties unevaluatedItems'.split(
    ' ',
  ),
);
const manySchemas = new Set(
  'items allOf anyOf oneOf prefixItems properties patternProperties dependentSchemas $defs definitions'.split(
    ' ',
  ),
);

function schemasIn(keyword: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (oneSchema.has(keyword) && !Array.isArray(value)) return [['', value]];
  return manySchemas.has(keyword) ? Object.entries(value as object) : [];
}

function patternsIn(keyword: string, value: unknown): readonly string[] {
  if (keyword === 'pattern') return [value as string];
  return keyword === 'patternProperties' ? Object.keys(value as object) : [];
}

/** OpenAPI's keyword, which ajv knows: it needs a type, which must not be null if it is false. */
const isNullable = ({ type, nullable }: JsonObject): boolean =>
  type !== undefined && (nullable === true || ![type].flat().includes('null'));

/** Undecided where a part of the schema has an `$id` or an anchor of its own. */
function isResolved(root: JsonSchema, reference: string): boolean {
  if (reference === '#' || !reference.startsWith('#')) return true;
  if (!reference.startsWith('#/')) return hasAnchor(root, reference);
  let at: unknown = root;
  for (const name of stepsOf(reference)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false;
    at = (at as { readonly [name: string]: unknown })[name];
    if (isObject(at) && '$id' in at) return true;
  }
  return isSchema(at);
}

const hasAnchor = (node: unknown, reference: string): boolean =>
  typeof node === 'object' &&
  node !== null &&
  Object.entries(node).some(
    ([key, value]) =>
      (/^\$(?:dynamicA|a)nchor$/.test(key) && `#${value}` === reference) ||
      (key === '$id' && value === reference) ||
      hasAnchor(value, reference),
  );

const shorten = (value: unknown): string => JSON.stringify(value).slice(0, 60);
