import type { JsonSchema } from '../../../api/result.ts';
import { isObject } from '../transport/rpc-message.ts';
import { schemaShapeProblem } from './schema-shape.ts';

/**
 * Why a schema of limited size probably won't compile. A quick check: compiling takes 0.3 ms and 30 KB for each of
 * thousands of tools that are never called. The first call finds remaining errors.
 */
export function uncheckableReason(schema: JsonSchema): string | undefined {
  const reference = find(schema, '$ref', (value) => !value.startsWith('#'));
  if (reference !== undefined) return `$ref ${reference} points outside of the schema`;
  return schemaShapeProblem(schema);
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
