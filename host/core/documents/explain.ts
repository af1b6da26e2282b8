import type { ErrorObject } from 'ajv';
import type { JsonSchema } from '../../api/result.ts';
import { nearest } from './nearest.ts';
import { memberJson } from './written-numbers.ts';
import { plural } from '../text/plural.ts';

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

/** At most this many errors of one value. */
const maxProblems = 20;

/** ajv's errors in words. `schema` is the whole one; errors have the part of it that failed (ajv's option `verbose`). */
export function explain(errors: readonly ErrorObject[], schema: JsonSchema): readonly SchemaProblem[] {
  // What a condition asks for is an error of its own.
  const told = errors.filter(({ keyword }) => keyword !== 'if' || errors.length === 1);
  const problems = told.slice(0, maxProblems).map((error): SchemaProblem => {
    const { instancePath: path, keyword, params } = error;
    const within = path === '' ? '' : `${placeOf(path)}: `;
    if (keyword === 'required') {
      const property = String(params['missingProperty']);
      return { path, keyword, property, message: `${within}"${property}" is missing` };
    }
    if (keyword === 'unevaluatedProperties' || keyword === 'additionalProperties') {
      const property = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
      return { path, keyword, property, ...unknownProperty(property, within, propertiesAt(schema, path)) };
    }
    return { path, keyword, message: `${path === '' ? 'the value' : placeOf(path)} ${predicateOf(error)}` };
  });
  // Ajv and exact-keywords.ts both report a number that should be whole.
  const said = new Set<string>();
  return problems.filter(({ message }) => !said.has(message) && said.add(message));
}

const placeOf = (path: string): string => `"${path.slice(1).replaceAll('/', '.')}"`;

function unknownProperty(
  property: string,
  within: string,
  properties: JsonSchema,
): Pick<SchemaProblem, 'message' | 'hint'> {
  const names = Object.keys(properties);
  const [near] = nearest(property, names);
  const known = names.length > 0 ? `; known: ${names.slice(0, 30).join(', ')}` : '';
  return {
    message: `${within}"${property}" is not known${known}`,
    ...(near !== undefined && { hint: `${property} → ${near}?` }),
  };
}

/** What follows the name of the value: "must be of type object". */
function predicateOf({ keyword, params, parentSchema, message }: ErrorObject): string {
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'type':
      return `must be of type ${[params['type']].flat().join(' or ')}`;
    case 'enum': {
      const allowed = params['allowedValues'] as readonly unknown[];
      const values = allowed.map((_, index) => memberJson(allowed, index));
      return `must be one of ${values.slice(0, 20).join(', ')}`;
    }
    case 'pattern':
      return patternIn(params['pattern'] as string, parentSchema);
    case 'format':
      return `must be ${formats[params['format'] as string] ?? `in the format "${params['format']}"`}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxLength':
      return `must have at most ${plural(limit, 'character')}`;
    case 'minItems':
    case 'minProperties':
      return `must have at least ${plural(limit, 'entry', 'entries')}`;
    case 'maxItems':
    case 'maxProperties':
      return `must have at most ${plural(limit, 'entry', 'entries')}`;
    case 'contains':
      return 'lacks an entry that the schema asks for';
    case 'dependentRequired':
      return `needs "${params['missingProperty']}" as well, because it has "${params['property']}"`;
    case 'propertyNames':
      return `must not have the key "${params['propertyName']}"`;
    case 'anyOf':
      return 'has none of the allowed forms';
    case 'oneOf':
      return params['passingSchemas'] === null
        ? 'has none of the allowed forms'
        : 'fits more than one of the forms of which exactly one must apply';
    case 'not':
      return 'has a form that is not allowed';
    case 'if':
      return "does not meet the schema's condition";
    case 'false schema':
      return 'must not be given';
    default:
      // Those of exact-keywords.ts say it themselves.
      return message ?? 'is not valid';
  }
}

/** Of JSON Schema. */
const formats: { readonly [format: string]: string } = {
  date: 'a date such as 2026-11-24',
  time: 'a time such as 08:30:00Z',
  'date-time': 'a date with a time, such as 2026-11-24T08:30:00Z',
  duration: 'a duration such as PT15M',
  email: 'an email address',
  hostname: 'the name of a host',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  uri: 'a whole address such as https://example.com',
  uuid: 'a UUID',
  regex: 'a regular expression',
};

function patternIn(pattern: string, schema: JsonSchema | undefined): string {
  const examples = schema?.['examples'];
  return Array.isArray(examples) && examples.length > 0
    ? `must look like ${JSON.stringify(examples[0])} (pattern ${pattern})`
    : `must match the pattern ${pattern}`;
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
