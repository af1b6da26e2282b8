import type { JsonSchema } from '../../../api/result.ts';
import { pointerTo } from '../../../core/documents/pointer.ts';
import { messageOf } from '../../../core/errors.ts';
import { shapeProblem } from '../../../core/documents/schema.ts';

/** Something wrong in a JSON Schema, at a JSON pointer within it. */
export interface SchemaMistake {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

const typeNames = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
/** Keywords whose value is a map of schemas by names of the author's choosing. */
const mapsOfSchemas = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Keywords whose value is data, not a schema. */
const data = new Set(['enum', 'const', 'default', 'examples', 'required']);

/** The mistakes that can be found without compiling the schema, which would take too long for thousands of tools. */
export async function checkSchema(schema: JsonSchema): Promise<readonly SchemaMistake[]> {
  const shape = shapeProblem(schema);
  if (shape !== undefined)
    return [{ pointer: '', code: 'bad-schema', message: `this schema can't be used: ${shape}` }];
  const mistakes: SchemaMistake[] = [];
  const patterns: { readonly pattern: string; readonly pointer: string }[] = [];
  const visit = (node: unknown, pointer: string): void => {
    if (node === null || typeof node !== 'object' || Array.isArray(node)) return;
    for (const [keyword, value] of Object.entries(node)) {
      const at = pointer + pointerTo(keyword);
      if (keyword === 'enum' && Array.isArray(value) && value.length === 0) mistakes.push(emptyEnum(at));
      if (data.has(keyword)) continue;
      if (mapsOfSchemas.has(keyword) && value !== null && typeof value === 'object') {
        for (const [name, child] of Object.entries(value)) visit(child, at + pointerTo(name));
      } else if (Array.isArray(value)) {
        for (const [index, child] of value.entries()) visit(child, at + pointerTo(index));
      } else visit(value, at);
      if (keyword === 'type') mistakes.push(...checkType(value, at));
      if (keyword === 'pattern' && typeof value === 'string') patterns.push({ pattern: value, pointer: at });
      if (keyword === '$ref' && !String(value).startsWith('#')) mistakes.push(foreignReference(value, at));
    }
  };
  visit(schema, '');
  for (const { pattern, pointer } of patterns) {
    const problem = await patternProblem(pattern);
    if (problem) mistakes.push({ pointer, ...problem });
  }
  return mistakes;
}

/** Why RE2, which is linear in its input, can't run a pattern. */
export async function patternProblem(pattern: string): Promise<Omit<SchemaMistake, 'pointer'> | undefined> {
  const { RE2JS } = await import('re2js');
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (cause) {
    const beyond = /\(\?[=!]|\(\?<[=!]|\\[1-9]|\\k</.test(pattern);
    return {
      code: 'bad-pattern',
      message: beyond
        ? `the pattern ${pattern} uses look-around or a back-reference, which patterns don't support here`
        : `the pattern ${pattern} is not a valid regular expression: ${messageOf(cause)}`,
      ...(beyond && { hint: 'patterns are RE2: write it without (?= (?! (?<= (?<! and \\1' }),
    };
  }
}

const emptyEnum = (pointer: string): SchemaMistake => ({
  pointer,
  code: 'bad-schema',
  message: 'the list of allowed values is empty, so no value is allowed',
  hint: 'name the values, or leave out "enum"',
});

function checkType(value: unknown, pointer: string): SchemaMistake[] {
  const wrong = [value].flat().filter((name) => typeof name !== 'string' || !typeNames.has(name));
  if (wrong.length === 0) return [];
  const message = `${JSON.stringify(wrong[0])} is not a type; types are ${[...typeNames].join(', ')}`;
  return [{ pointer, code: 'bad-schema', message }];
}

function foreignReference(value: unknown, pointer: string): SchemaMistake {
  return {
    pointer,
    code: 'bad-schema',
    message: `the reference ${JSON.stringify(value)} points outside this schema, and nothing is fetched`,
    hint: 'put the other schema into $defs and refer to "#/$defs/…"',
  };
}
