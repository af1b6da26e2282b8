import type { Ajv as AjvDraft7, Options } from 'ajv';
import type { JsonSchema } from '../../api/result.ts';
import { PegboardError, messageOf } from '../errors.ts';
import { compareExactly } from './exact-keywords.ts';
import { explain, type SchemaProblem } from './explain.ts';
import { schemaErrorInWords } from './schema-errors.ts';
import { keepWritten } from './written-numbers.ts';

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
    throw new PegboardError(
      'PEG_INVALID_SCHEMA',
      `the schema can't be used: ${schemaErrorInWords(messageOf(cause))}`,
      {
        cause,
      },
    );
  }
}

/** One instance per schema, so that the `$id` of one can't affect another. */
async function createAjv(schema: JsonSchema, defaults: Defaults): Promise<AjvDraft7> {
  const options: Options = {
    strict: false,
    meta: false,
    validateSchema: false,
    allErrors: true,
    // An explanation names the schema's examples.
    verbose: true,
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
