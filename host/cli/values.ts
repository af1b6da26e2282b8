import type { JsonObject, JsonSchema } from '../api/result.ts';
import { parsedJson, rememberNumber } from '../core/documents/written-numbers.ts';
import { PegboardError } from '../core/errors.ts';
import { nearest } from '../core/documents/nearest.ts';

/**
 * `key=value` words as arguments, read by the schema's types: a list by repeating its key or as JSON, objects as JSON.
 * What can't be read as its type stays text, so that validation says what was expected. Throws PEG_USAGE.
 */
export function toArguments(words: readonly string[], schema: JsonSchema): JsonObject {
  const given = new Map<string, string[]>();
  for (const word of words) {
    const at = word.indexOf('=');
    if (at < 1) throw notAssigned(word, schema);
    const key = word.slice(0, at);
    given.set(key, [...(given.get(key) ?? []), word.slice(at + 1)]);
  }
  const properties = propertiesOf(schema);
  const entries = [...given].map(
    ([key, texts]) => [key, toProperty(key, texts, properties[key], schema)] as const,
  );
  const args: JsonObject = Object.fromEntries(entries);
  for (const [key, [text = '']] of given) keepNumber(args, key, text);
  return args;
}

/** Anything that isn't a schema counts as an empty one. */
export function propertiesOf(schema: JsonSchema): { readonly [name: string]: JsonSchema } {
  const properties = Object.entries(isObject(schema['properties']) ? schema['properties'] : {});
  return Object.fromEntries(properties.map(([name, one]) => [name, isObject(one) ? one : {}]));
}

export function requiredOf(schema: JsonSchema): readonly string[] {
  const { required } = schema;
  return Array.isArray(required) ? required.map(String) : [];
}

/** One text as the value that its schema means. */
export function toValue(text: string, schema: JsonSchema | undefined, root: JsonSchema = {}): unknown {
  const types = typesOf(schema, root);
  if (types.length === 0) return parsedJson(text) ?? text;
  for (const type of types) {
    const value = readers[type]?.(text);
    if (value !== undefined) return value;
  }
  return text;
}

/** A list of texts as the values that the schema of its items means. */
export function toValues(
  texts: readonly string[],
  items: JsonSchema | undefined,
  root: JsonSchema = {},
): unknown[] {
  const values = texts.map((item) => toValue(item, items ?? { type: 'string' }, root));
  texts.forEach((text, at) => keepNumber(values, String(at), text));
  return values;
}

/** Keeps how the number was written. */
export function keepNumber(holder: object, key: string, text: string): void {
  if (typeof (holder as JsonObject)[key] === 'number') rememberNumber(holder, key, text.trim());
}

/** The types that a schema allows, text last because it accepts anything. Empty when it names none. */
export function typesOf(schema: JsonSchema | undefined, root: JsonSchema = {}): string[] {
  const types = new Set(collectTypes(schema, root, 0));
  return [...types].sort((a, b) => Number(a === 'string') - Number(b === 'string'));
}

function toProperty(
  key: string,
  texts: readonly string[],
  schema: JsonSchema | undefined,
  root: JsonSchema,
): unknown {
  const types = typesOf(schema, root);
  const [text = ''] = texts;
  if (types.includes('array')) {
    const whole = texts.length === 1 && text.trimStart().startsWith('[') ? parsedJson(text) : undefined;
    if (Array.isArray(whole)) return whole;
    if (texts.length === 1 && /^\s*\[[^]*,[^]*\]\s*$/.test(text))
      throw new PegboardError(
        'PEG_USAGE',
        `${key}=${text} is no JSON list. Quote it (${key}='["one","two"]'), or repeat it: ${key}=one ${key}=two`,
      );
    if (texts.length > 1 || types.length === 1) {
      const items = resolve(schema, root)?.['items'] as JsonSchema | undefined;
      return toValues(texts, items, root);
    }
  }
  if (texts.length > 1) {
    throw new PegboardError('PEG_USAGE', `${key}= was given ${texts.length} times, but it takes one value.`);
  }
  return toValue(text, schema, root);
}

const readers: { readonly [type: string]: (text: string) => unknown } = {
  string: (text) => text,
  number: toNumber,
  integer: toNumber,
  boolean: (text) => booleans[text.toLowerCase()],
  null: (text) => (text === 'null' ? null : undefined),
  array: (text) => ifKind(parsedJson(text), Array.isArray),
  object: (text) => ifKind(parsedJson(text), (value) => typeof value === 'object' && !Array.isArray(value)),
};

const booleans: { readonly [text: string]: boolean } = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};

/** As JSON writes numbers: 0x10, 1_000 and 007 stay text. */
function toNumber(text: string): number | undefined {
  return /^\s*-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function ifKind(value: unknown, is: (value: unknown) => boolean): unknown {
  return value !== null && is(value) ? value : undefined;
}

function collectTypes(schema: JsonSchema | undefined, root: JsonSchema, depth: number): string[] {
  const resolved = resolve(schema, root);
  if (!resolved || depth > 8) return [];
  if (resolved['type'] !== undefined) return [resolved['type']].flat() as string[];
  const values = resolved['const'] === undefined ? resolved['enum'] : [resolved['const']];
  if (Array.isArray(values)) return values.map((value) => (value === null ? 'null' : typeof value));
  const branches = [resolved['anyOf'], resolved['oneOf'], resolved['allOf']].flat().filter(Boolean);
  return (branches as JsonSchema[]).flatMap((branch) => collectTypes(branch, root, depth + 1));
}

/** Follows a `$ref` within the same schema. */
function resolve(schema: JsonSchema | undefined, root: JsonSchema): JsonSchema | undefined {
  let found = schema;
  for (let hops = 0; typeof found?.['$ref'] === 'string' && hops < 8; hops++) {
    const way = found['$ref'].replace(/^#\/?/, '').split('/').filter(Boolean);
    found = way.reduce<JsonSchema | undefined>((node, step) => node?.[step] as JsonSchema | undefined, root);
  }
  return found;
}

function notAssigned(word: string, schema: JsonSchema): PegboardError {
  const names = Object.keys(propertiesOf(schema));
  const [near] = nearest(word.replace(/^-+/, ''), names);
  const meant = near ?? requiredOf(schema)[0] ?? names[0] ?? (isOpen(schema) ? 'name' : undefined);
  return new PegboardError(
    'PEG_USAGE',
    `"${word}" is not key=value. ${meant === undefined ? 'This tool takes no arguments.' : `Did you mean ${meant}=${near === undefined ? word : '…'}?`}`,
  );
}

/** Whether it takes arguments that it doesn't name. */
const isOpen = ({ additionalProperties }: JsonSchema): boolean => additionalProperties !== false;

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
