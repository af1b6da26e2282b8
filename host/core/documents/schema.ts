import type { Ajv as AjvDraft7, ErrorObject, Options } from 'ajv';
import type { JsonSchema } from '../../api/result.ts';
import { PegboardError, messageOf } from '../errors.ts';
import { compareExactly } from './exact-keywords.ts';
import { nearest } from './nearest.ts';
import { keepWritten, memberJson } from './written-numbers.ts';

/** An error in a value. `path` is a JSON pointer. */
export interface SchemaProblem {
  readonly path: string;
  readonly message: string;
  /** The JSON Schema keyword that failed: "required", "additionalProperties". */
  readonly keyword: string;
  /** The property that is missing, extra or unexpected. */
  readonly property?: string;
  readonly hint?: string;
}

/** Empty if the value is valid. */
export type Validate = (value: unknown) => readonly SchemaProblem[];

/** Whether a schema's defaults are filled in, in place, or the value is left unchanged. */
export type Defaults = 'filled' | 'left';

/** Maximum size of foreign schemas: characters of JSON, levels, objects. */
export const schemaLimits = { characters: 65_536, depth: 32, nodes: 1_000 } as const;

const cached = {
  filled: new WeakMap<JsonSchema, Validate>(),
  left: new WeakMap<JsonSchema, Validate>(),
};

/** Compiles on first use (0.3 ms) and caches for the lifetime of the schema object. Throws PEG_INVALID_SCHEMA. */
export function validatorOf(schema: JsonSchema, defaults: Defaults = 'filled'): Validate | Promise<Validate> {
  return cached[defaults].get(schema) ?? compile(schema, defaults);
}

/** Why `schema` can't be used, or undefined. Never throws and never fetches a `$ref`. */
export async function schemaProblem(schema: JsonSchema): Promise<string | undefined> {
  const shape = shapeProblem(schema);
  if (shape !== undefined) return shape;
  try {
    await compile(schema, 'filled');
    return undefined;
  } catch (cause) {
    return messageOf(cause);
  }
}

/** Checks size, depth and root type. Fast enough for every schema at registration. */
export function shapeProblem(schema: unknown): string | undefined {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return 'it is not an object';
  if ((schema as JsonSchema)['type'] !== 'object') return 'its root must have "type": "object"';
  let nodes = 0;
  const visit = (node: unknown, depth: number): string | undefined => {
    if (node === null || typeof node !== 'object') return undefined;
    if (depth > schemaLimits.depth) return `it is nested deeper than ${schemaLimits.depth} levels`;
    if (++nodes > schemaLimits.nodes) return `it has more than ${schemaLimits.nodes} parts`;
    for (const child of Object.values(node)) {
      const problem = visit(child, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
  const problem = visit(schema, 0);
  if (problem !== undefined) return problem;
  const size = JSON.stringify(schema).length;
  return size > schemaLimits.characters
    ? `it has ${size} characters; at most ${schemaLimits.characters} are read`
    : undefined;
}

async function compile(schema: JsonSchema, defaults: Defaults): Promise<Validate> {
  const known = cached[defaults].get(schema);
  if (known) return known;
  try {
    const check = (await createAjv(schema, defaults)).compile(schema);
    const validate: Validate = (value) => (check(value) ? [] : explain(check.errors ?? [], schema));
    cached[defaults].set(schema, validate);
    return validate;
  } catch (cause) {
    throw new PegboardError('PEG_INVALID_SCHEMA', `the schema does not compile: ${messageOf(cause)}`, {
      cause,
    });
  }
}

/** One instance per schema, so that the `$id` of one can't affect another. */
async function createAjv(schema: JsonSchema, defaults: Defaults): Promise<AjvDraft7> {
  const options: Options = {
    strict: false,
    meta: false,
    validateSchema: false,
    allErrors: true,
    useDefaults: defaults === 'filled',
    ownProperties: true,
    logger: false,
    code: { optimize: false, regExp: await linearRegExp(schema) },
  };
  const dialect = typeof schema['$schema'] === 'string' ? schema['$schema'] : '';
  const { default: formats } = await import('ajv-formats');
  const Ajv = /draft-0[467]/.test(dialect)
    ? (await import('ajv')).Ajv
    : (await import('ajv/dist/2020.js')).Ajv2020;
  const ajv = new Ajv(options);
  formats.default(ajv, { mode: 'fast', keywords: false });
  compareExactly(ajv);
  return ajv;
}

/**
 * Patterns run on RE2, which is linear in the input, so that a hostile pattern can't block the host. It has no
 * look-around and back-references, so such schemas don't compile.
 */
async function linearRegExp(
  schema: JsonSchema,
): Promise<NonNullable<NonNullable<Options['code']>['regExp']>> {
  if (!JSON.stringify(schema).includes('"pattern'))
    return Object.assign((p: string) => new RegExp(p, 'u'), { code: 'regExp' });
  const { RE2JS } = await import('re2js');
  const engine = (pattern: string): { test(text: string): boolean; toString(): string } => {
    const expression = RE2JS.compile(pattern);
    // ajv caches compiled patterns by their string, so each needs its own toString.
    return { test: (text) => expression.matcher(text).find(), toString: () => `re2:${pattern}` };
  };
  return Object.assign(engine, { code: 're2' });
}

function explain(errors: readonly ErrorObject[], schema: JsonSchema): SchemaProblem[] {
  // Every branch of an anyOf reports errors. The error of the anyOf itself suffices if there is no more specific one.
  return errors.slice(0, 20).map((error) => {
    const { instancePath: path, keyword, params } = error;
    const place = path === '' ? 'the value' : `"${path.slice(1).replaceAll('/', '.')}"`;
    switch (keyword) {
      case 'required': {
        const property = String(params['missingProperty']);
        return {
          path,
          keyword,
          property,
          message: `${path === '' ? '' : `${place}: `}"${property}" is missing`,
        };
      }
      case 'unevaluatedProperties':
      case 'additionalProperties': {
        const property = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
        const names = Object.keys(propertiesAt(schema, path));
        const [near] = nearest(property, names);
        return {
          path,
          keyword,
          property,
          message: `${path === '' ? '' : `${place}: `}"${property}" is not known${names.length > 0 ? `; known: ${names.slice(0, 30).join(', ')}` : ''}`,
          ...(near !== undefined && { hint: `${property} → ${near}?` }),
        };
      }
      case 'enum': {
        const allowed = params['allowedValues'] as readonly unknown[];
        const values = allowed.map((_, index) => memberJson(allowed, index));
        return { path, keyword, message: `${place} must be one of ${values.slice(0, 20).join(', ')}` };
      }
      case 'type':
        return { path, keyword, message: `${place} must be of type ${[params['type']].flat().join(' or ')}` };
      default:
        return { path, keyword, message: `${place} ${error.message ?? 'is not valid'}` };
    }
  });
}

/** The `properties` that may apply at a path of the value, considering plain nesting and alternatives. */
function propertiesAt(schema: JsonSchema, path: string): JsonSchema {
  let nodes = withAlternatives(schema);
  for (const step of path.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    nodes = nodes.flatMap((node) => {
      const properties = node['properties'] as JsonSchema | undefined;
      return withAlternatives(properties?.[name] ?? node['items'] ?? node['additionalProperties']);
    });
  }
  return Object.assign({}, ...nodes.map((node) => node['properties'])) as JsonSchema;
}

function withAlternatives(node: unknown): JsonSchema[] {
  if (node === null || typeof node !== 'object') return [];
  const schema = node as JsonSchema;
  const others = [schema['anyOf'], schema['oneOf']].flatMap((list) => (Array.isArray(list) ? list : []));
  return [schema, ...others.flatMap(withAlternatives)];
}

/** Arguments nested deeper than this are refused before any recursion. */
const maxDepth = 200;

/**
 * A copy that the caller can't change while the tool runs. `safe` removes members called "__proto__", which many
 * programs mishandle. Throws PEG_INVALID_ARGUMENTS when nested too deeply.
 */
export function copyJson<T>(value: T, members: 'safe' | 'all' = 'safe', depth = 0): T {
  if (value === null || typeof value !== 'object') return value;
  if (depth > maxDepth)
    throw new PegboardError(
      'PEG_INVALID_ARGUMENTS',
      `The arguments are nested deeper than ${maxDepth} levels.`,
    );
  if (Array.isArray(value))
    return keepWritten(
      value,
      value.map((item) => copyJson(item as unknown, members, depth + 1)) as T & object,
    );
  const copy: Record<string, unknown> = {};
  // Runs for every call of a tool, so it avoids lists of entries and closures.
  for (const key of Object.keys(value)) {
    const child = copyJson((value as Record<string, unknown>)[key], members, depth + 1);
    if (key !== '__proto__') copy[key] = child;
    else if (members === 'all') define(copy, key, child);
  }
  return keepWritten(value, copy as T & object);
}

/** Assigning to "__proto__" would change the prototype. */
function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}
