import { isExact, type JsonSchema, mergeWritten, writtenText, toJson } from 'pegboard';
import { listOf, type Members, membersOf, writtenNumber } from 'pegboard/kit';
import { firstSentences, plainLine } from '../foreign-text.ts';
import type { ApiDocument } from './api-document.ts';
import { kindsOf } from './kinds.ts';

export interface SchemaLimits {
  /** Levels of objects and lists. What is deeper is described by its type alone. */
  readonly depth: number;
  /** Whether patterns of this form can be checked. */
  readonly isPattern: (pattern: string) => boolean;
  /** Counts down; at zero TooLarge is thrown. */
  readonly nodes: { left: number };
}

/** The schema has more parts than a tool's may have. */
export class TooLarge extends Error {}

const types = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
/** The formats that are checked; any other is only said. */
const formats = new Set(['date-time', 'date', 'time', 'email', 'uuid', 'ipv4', 'ipv6']);
/** Rules that mean the same here, by the type that they are for. */
const rules: { readonly [type: string]: readonly string[] } = {
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  integer: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  string: ['minLength', 'maxLength'],
  array: ['minItems', 'maxItems', 'uniqueItems'],
};
const maxChoices = 100;
const maxDescription = 200;

/**
 * The part of a schema of OpenAPI that a caller needs, as JSON Schema 2020-12 without references. A schema within itself
 * is described by its type alone.
 */
export function toJsonSchema(
  written: unknown,
  document: ApiDocument,
  limits: SchemaLimits,
  around: readonly Members[] = [],
): JsonSchema {
  if (--limits.nodes.left < 0) throw new TooLarge();
  const resolved = document.resolve(written);
  const schema = merged(resolved, document);
  const isInside = around.some((outer) => isSame(outer, schema));
  const isDeep = around.length >= limits.depth;
  const type = typeOf(schema);
  const result: Record<string, unknown> = {};
  if (type !== undefined) result['type'] = type;
  const description = describeSchema(schema);
  if (description !== '') result['description'] = description;
  copyChoices(schema, type, result);
  if (isInside || isDeep) return result;
  const inner = (part: unknown): JsonSchema => toJsonSchema(part, document, limits, [...around, schema]);
  const kinds = kindsOf(resolved, schema, document);
  if (kinds.length > 0 && kinds.length <= maxChoices)
    return { ...(description !== '' && { description }), anyOf: kinds.map(inner) };
  for (const one of [type].flat()) copyRules(schema, one, result, limits);
  if (includes(type, 'array')) result['items'] = schema['items'] === undefined ? {} : inner(schema['items']);
  if (includes(type, 'object')) copyMembers(schema, result, inner, document);
  const choices = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])];
  if (choices.length > 0 && choices.length <= maxChoices) copyAlternatives(choices, result, inner);
  return result;
}

const includes = (type: string | readonly string[] | undefined, one: string): boolean =>
  [type].flat().includes(one);

const isSame = (a: Members, b: Members): boolean =>
  a === b || (a['properties'] !== undefined && a['properties'] === b['properties']);

/** allOf as one schema. Which kinds of it there are is said of the whole alone. */
export function merged(schema: Members, document: ApiDocument, depth = 0): Members {
  const parts = listOf(schema['allOf']);
  if (parts.length === 0 || depth > 8) return schema;
  const { allOf: _, ...own } = schema;
  const all = [...parts.map((part) => merged(document.resolve(part), document, depth + 1)), own];
  const [only] = parts.length === 1 && Object.keys(own).every((key) => key !== 'properties') ? all : [];
  // One part with a description beside it: it stays the same for whoever looks for a schema within itself.
  if (only) return mergeWritten(only, own);
  return {
    ...all.reduce<Members>((sum, part) => mergeWritten(sum, part), {}),
    discriminator: own['discriminator'],
    properties: Object.assign({}, ...all.map((part) => membersOf(part['properties']))) as Members,
    required: all.flatMap((part) => listOf(part['required'])),
  };
}

/** In version 3.0 a schema that allows null says `nullable: true`. */
export function typeOf(schema: Members): string | readonly string[] | undefined {
  const said = [schema['type']].flat().filter((one): one is string => types.has(one as string));
  const implied =
    schema['properties'] !== undefined || schema['additionalProperties'] !== undefined
      ? ['object']
      : schema['items'] !== undefined
        ? ['array']
        : [];
  const found = said.length > 0 ? said : implied;
  const all = schema['nullable'] === true && found.length > 0 ? [...new Set([...found, 'null'])] : found;
  return all.length > 1 ? all : all[0];
}

/** With its format and default, which are said and not filled in: what nobody gives is the server's to decide. */
function describeSchema(schema: Members): string {
  const text = firstSentences(plainLine(schema['description'] ?? schema['title']), maxDescription);
  const { format, default: standard } = schema;
  const said = [
    text,
    typeof format === 'string' && !formats.has(format) && !/^(?:int|float|double|password)/.test(format)
      ? `Format: ${plainLine(format).slice(0, 40)}`
      : '',
    standard === undefined || standard === '' ? '' : saidOf(schema, 'default', 'Default'),
    text === '' ? saidOf(schema, 'example', 'For example') : '',
  ];
  return said
    .filter((part) => part !== '')
    .map((part, index, all) => (index < all.length - 1 && !/[.!?…]$/.test(part) ? `${part}.` : part))
    .join(' ');
}

/** A member as a text; empty for what is no scalar, and where it isn't known how it was written. */
function saidOf(schema: Members, key: string, title: string): string {
  const value = schema[key];
  const isUnknown = typeof value === 'number' && isUnsafe(value) && writtenNumber(schema, key) === undefined;
  if (!isScalar(value) || isUnknown) return '';
  return `${title}: ${plainLine(writtenText(schema, key)).slice(0, 80)}`;
}

/** Whether a number, if it is one, can be written here as it was there. YAML doesn't tell how it was written. */
function isKept(holder: object, key: string): boolean {
  const value = (holder as Members)[key];
  const written = writtenNumber(holder, key);
  return typeof value !== 'number' || (written === undefined ? !isUnsafe(value) : isExact(written));
}

const isUnsafe = (value: number): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

function copyChoices(
  schema: Members,
  type: string | readonly string[] | undefined,
  result: Record<string, unknown>,
): void {
  const enumeration = listOf(schema['enum']);
  // A choice that would be another one is the server's to check.
  if (!isKept(schema, 'const') || !enumeration.every((_, at) => isKept(enumeration, String(at)))) return;
  const constant = schema['const'] === undefined ? [] : [schema['const']];
  const allowed = [...enumeration, ...constant].filter((value) => value === null || isScalar(value));
  const fitting = allowed.filter((value) => type === undefined || fits(value, [type].flat()));
  if (fitting.length > 0 && fitting.length <= maxChoices) result['enum'] = [...new Set(fitting)];
}

const fits = (value: unknown, among: readonly string[]): boolean =>
  among.some((type) =>
    type === 'null'
      ? value === null
      : type === 'integer'
        ? Number.isInteger(value)
        : typeof value === (type === 'number' ? 'number' : type),
  );

function copyRules(
  schema: Members,
  type: string | undefined,
  result: Record<string, unknown>,
  { isPattern }: SchemaLimits,
): void {
  for (const rule of rules[type ?? ''] ?? []) {
    const value = schema[rule];
    if ((typeof value === 'number' && isKept(schema, rule)) || (rule === 'uniqueItems' && value === true))
      result[rule] = value;
  }
  // In version 3.0 these say whether the other rule includes the value itself.
  if (schema['exclusiveMinimum'] === true) moveRule(result, 'minimum', 'exclusiveMinimum');
  if (schema['exclusiveMaximum'] === true) moveRule(result, 'maximum', 'exclusiveMaximum');
  if (type !== 'string') return;
  const { pattern, format } = schema;
  if (typeof pattern === 'string' && pattern.length <= 300 && isPattern(pattern)) result['pattern'] = pattern;
  if (typeof format === 'string' && formats.has(format)) result['format'] = format;
}

function moveRule(result: Record<string, unknown>, from: string, to: string): void {
  if (result[from] === undefined) return;
  result[to] = result[from];
  delete result[from];
}

/** What only the server sets is left out. */
function copyMembers(
  schema: Members,
  result: Record<string, unknown>,
  inner: (part: unknown) => JsonSchema,
  document: ApiDocument,
): void {
  const all = Object.entries(membersOf(schema['properties']));
  const open = all.filter(([, member]) => document.resolve(member)['readOnly'] !== true);
  if (open.length > 0)
    result['properties'] = Object.fromEntries(open.map(([name, member]) => [name, inner(member)]));
  const names = new Set(open.map(([name]) => name));
  const required = [...new Set(listOf(schema['required']))].filter((name) => names.has(name as string));
  if (required.length > 0) result['required'] = required;
  const more = schema['additionalProperties'];
  if (more === false && open.length === all.length) result['additionalProperties'] = false;
  else if (typeof more === 'object' && more !== null && Object.keys(more).length > 0)
    result['additionalProperties'] = inner(more);
}

/** As anyOf: what was cut off may make several fit. */
function copyAlternatives(
  choices: readonly unknown[],
  result: Record<string, unknown>,
  inner: (part: unknown) => JsonSchema,
): void {
  const all = choices.map(inner);
  const distinct = [...new Map(all.map((one) => [toJson(one), one])).values()];
  // A choice that says nothing allows everything.
  if (distinct.some((one) => Object.keys(one).every((key) => key === 'description'))) return;
  const [only] = distinct;
  if (distinct.length === 1) Object.assign(result, { ...only, ...result });
  else result['anyOf'] = distinct;
}
