import type { JsonSchema } from '../../../api/result.ts';
import { isObject } from '../transport/rpc-message.ts';
import { isRegExp, seemsRe2 } from './pattern-risk.ts';
import { schemaShapeProblem } from './schema-shape.ts';

/**
 * Why a schema of limited size probably won't compile. A quick check: compiling takes 0.3 ms and 30 KB for each of
 * thousands of tools that are never called. The first call finds remaining errors.
 */
export const uncheckableReason = (schema: JsonSchema): string | undefined =>
  problemOf(schema, (pattern) => (seemsRe2(pattern) ? undefined : notRe2));

/** The same for a client that compiles with JavaScript's patterns, as the SDKs do with every outputSchema of a list. */
export const uncompilableReason = (schema: JsonSchema): string | undefined =>
  problemOf(schema, (pattern) => (isRegExp(pattern, 'u') ? undefined : "which JavaScript can't compile"));

const notRe2 =
  "which RE2 can't compile: it is invalid, or uses look-around, back-references or syntax of single engines";

function problemOf(
  schema: JsonSchema,
  patternProblem: (pattern: string) => string | undefined,
): string | undefined {
  const reference = find(schema, '$ref', (value) => !value.startsWith('#'));
  if (reference !== undefined) return `$ref ${reference} points outside of the schema`;
  return schemaShapeProblem(schema, patternProblem);
}

function find(node: unknown, key: string, matches: (value: string) => boolean): string | undefined {
  if (Array.isArray(node)) {
    for (const item of node) {
      const found = find(item, key, matches);
      if (found !== undefined) return found;
    }
  } else if (isObject(node)) {
    for (const [name, value] of Object.entries(node)) {
      if (name === key && typeof value === 'string' && matches(value)) return value.slice(0, 100);
      const found = find(value, key, matches);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
