import type { JsonSchema } from '../../api/result.ts';
import type { DocumentProblem, SourceDocument } from './document.ts';
import { pointerTo } from './pointer.ts';
import { nearest } from './nearest.ts';
import { passesQuickCheck } from './quick-check.ts';
import { briefly } from '../text/shorten.ts';
import type { SchemaProblem } from './explain.ts';
import { validatorOf, type Validate } from './schema.ts';

/** Diagnostic codes by schema keyword. Other keywords are "invalid-value". */
const codes: { readonly [keyword: string]: string } = {
  additionalProperties: 'unknown-key',
  required: 'missing-key',
  type: 'wrong-type',
  enum: 'not-allowed',
  pattern: 'wrong-format',
  minimum: 'out-of-range',
  maximum: 'out-of-range',
  exclusiveMinimum: 'out-of-range',
  oneOf: 'not-one-of',
};

export interface CheckOptions {
  /** JSON pointer of the part that `schema` describes. Default: the whole document. */
  readonly at?: string;
}

/**
 * Everything in the document that violates the schema (an imported file of schemas/), in the order of the file. Returns
 * an empty list directly if there is nothing, and a promise only if there are errors to explain.
 */
export function checkDocument(
  document: SourceDocument,
  schema: JsonSchema,
  { at = '' }: CheckOptions = {},
): readonly DocumentProblem[] | Promise<readonly DocumentProblem[]> {
  const value = valueAt(document.value, at);
  if (passesQuickCheck(value, schema)) return [];
  const severity = schema['unknownKeys'] === 'warning' ? 'warning' : 'error';
  const validate = validatorOf(schema, 'left');
  return validate instanceof Promise
    ? validate.then((ready) => explain(document, at, ready, schema, severity))
    : explain(document, at, validate, schema, severity);
}

/** The value at a JSON pointer. */
export function valueAt(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  return steps(pointer).reduce<unknown>(
    (parent, step) => (parent as { [key: string]: unknown })?.[step],
    value,
  );
}

function steps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function explain(
  document: SourceDocument,
  at: string,
  validate: Validate,
  schema: JsonSchema,
  unknownKeys: 'error' | 'warning',
): readonly DocumentProblem[] {
  const problems = validate(valueAt(document.value, at));
  return problems
    .filter((problem) => !isAlternative(problem, problems, schema))
    .filter((problem) => !isOtherKind(problem, problems, (path) => valueAt(document.value, at + path)))
    .map((problem) => toDiagnostic(document, at, problem, unknownKeys))
    .sort((a, b) => a.line! - b.line! || a.column! - b.column!);
}

/** Errors of single alternatives of anyOf and oneOf are less useful than the error about the whole. */
function isAlternative(problem: SchemaProblem, all: readonly SchemaProblem[], schema: JsonSchema): boolean {
  const { keyword, path, property } = problem;
  if (keyword === 'oneOf') return all.some((other) => other.path === path && other.keyword === 'type');
  if (path !== '' || keyword !== 'required' || schema['oneOf'] === undefined) return false;
  return !(schema['required'] as readonly string[] | undefined)?.includes(property!);
}

/** Where several kinds of values are allowed, only errors of the chosen kind are reported. */
function isOtherKind(
  problem: SchemaProblem,
  all: readonly SchemaProblem[],
  valueOf: (path: string) => unknown,
): boolean {
  const { keyword, path } = problem;
  if (!all.some((other) => other.keyword === 'anyOf' && other.path === path)) return false;
  const isMap = typeof valueOf(path) === 'object';
  const isKind = (other: SchemaProblem): boolean =>
    other.path === path && (other.keyword === 'type' || (other.keyword === 'enum' && isMap));
  const others = all.filter(
    (other) => other.keyword !== 'anyOf' && (other.path === path || other.path.startsWith(`${path}/`)),
  );
  if (keyword === 'anyOf') return others.length > 0;
  return isKind(problem) && others.some((other) => !isKind(other));
}

function toDiagnostic(
  document: SourceDocument,
  at: string,
  problem: SchemaProblem,
  unknownKeys: 'error' | 'warning',
): DocumentProblem {
  const unknown = problem.keyword === 'additionalProperties';
  const pointer = at + problem.path;
  const place = unknown
    ? document.locate(pointer + pointerTo(problem.property!), 'key')
    : document.locate(pointer, problem.keyword === 'required' ? 'key' : 'value');
  const hint = problem.hint ?? hintFor(document, pointer, problem);
  return briefly({
    severity: unknown ? unknownKeys : 'error',
    code: codes[problem.keyword] ?? 'invalid-value',
    message: withFound(problem, valueAt(document.value, pointer)),
    path: document.path,
    ...place,
    pointer: unknown ? pointer + pointerTo(problem.property!) : pointer,
    ...(hint !== undefined && { hint }),
  });
}

function withFound({ keyword, message }: SchemaProblem, value: unknown): string {
  return ['type', 'enum', 'pattern', 'minimum', 'maximum', 'exclusiveMinimum'].includes(keyword)
    ? `${message}, not ${show(value)}`
    : message;
}

/** A value quoted for a message. */
function show(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (value !== null && typeof value === 'object') return 'a map';
  if (value === null || value === undefined) return 'empty';
  const text = JSON.stringify(value);
  const short = text.length > 60 ? `${text.slice(0, 57)}…` : text;
  return typeof value === 'string' ? `the text ${short}` : `the ${typeof value} ${short}`;
}

function nearestAllowed(value: unknown, message: string): string | undefined {
  const allowed = /must be one of (.*)$/.exec(message)?.[1] ?? '';
  const texts = [...allowed.matchAll(/"([^"]*)"/g)].map((match) => match[1]!);
  const [near] = typeof value === 'string' ? nearest(value, texts) : [];
  return near === undefined ? undefined : `${String(value)} → ${near}?`;
}

/** Ids are lower-case words joined by hyphens. */
function kebabCase(value: unknown, message: string): string | undefined {
  if (typeof value !== 'string' || !message.includes('^[a-z0-9]+(-[a-z0-9]+)*$')) return undefined;
  const words = value
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words ? `${value} → ${words.join('-')}?` : 'write lower-case words with hyphens between';
}

const truths: { readonly [written: string]: boolean } = {
  yes: true,
  on: true,
  y: true,
  '1': true,
  true: true,
  false: false,
  no: false,
  off: false,
  n: false,
  '0': false,
};

/** A suggestion where YAML read something other than what was meant. */
function hintFor(
  document: SourceDocument,
  pointer: string,
  { keyword, message }: SchemaProblem,
): string | undefined {
  const value = valueAt(document.value, pointer);
  if (keyword === 'enum') return nearestAllowed(value, message);
  if (keyword === 'pattern') return kebabCase(value, message);
  if (keyword !== 'type') return undefined;
  const expected = /must be of type (.*)$/.exec(message)?.[1] ?? '';
  const written = document.written(pointer);
  if (expected.includes('string') && (typeof value === 'number' || typeof value === 'boolean')) {
    return `put it in quotes: "${written ?? String(value)}"`;
  }
  if (expected.includes('boolean') && ['string', 'number'].includes(typeof value)) {
    const written = String(value).toLowerCase();
    const truth = truths[written];
    return truth === undefined ? 'write true or false' : `write ${truth} without quotes`;
  }
  if (/number|integer/.test(expected) && typeof value === 'string') {
    const number = Number.parseFloat(value);
    return Number.isFinite(number) ? `write ${number}` : undefined;
  }
  if (expected.includes('string') && Array.isArray(value) && value.every((word) => typeof word !== 'object'))
    return `write one text: ${value.join(' ')}`;
  if (expected !== 'array' || value === undefined) return undefined;
  if (isMap(value) && value['type'] === 'object' && isMap(value['properties']))
    return 'a JSON Schema belongs into "inputSchema"; this is a list of maps with a name each';
  const [first] = isMap(value) ? Object.entries(value) : [];
  return first && isMap(first[1])
    ? `write a list of maps: - name: ${first[0]}, and the rest below it`
    : 'write a list: [a, b], or one item a line after -';
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
