import type { JsonSchema } from '../../api/result.ts';
import { isObject } from './rpc-message.ts';

/** Look-around and back-references: our patterns run on RE2, which has neither. */
const beyondRe2 = /\(\?(?:=|!|<[=!])|\\[1-9]|\\k</;

/**
 * Why a schema of limited size won't compile, as far as a look at it tells; compiling it would take 0.3 ms and
 * 30 KB for each of maybe thousands of tools that are never called.
 */
export function uncheckableReason(schema: JsonSchema): string | undefined {
  const pattern = find(schema, 'pattern', (value) => beyondRe2.test(value));
  if (pattern !== undefined) return `the pattern ${pattern} uses look-around or back-references`;
  const reference = find(schema, '$ref', (value) => !value.startsWith('#'));
  if (reference !== undefined) return `$ref ${reference} points outside of the schema`;
  return undefined;
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
