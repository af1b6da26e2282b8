import type { ToolResult } from '../api/result.ts';
import {
  hasRoundedNumber,
  isRepresentable,
  parsedJson,
  parseJson,
  writtenNumber,
} from '../core/documents/written-numbers.ts';

/**
 * A result as a script gets it: its structured content, or the object or list that its only text is as JSON, or its text.
 * A number that JavaScript would change, such as a long id, arrives as text.
 */
export function scriptValueOf({ content, structured }: ToolResult): unknown {
  if (structured !== undefined) return withExactNumbers(structured);
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const [only] = texts;
  const parsed = texts.length === 1 && /^\s*[[{]/.test(only!) ? parsedJson(only!) : undefined;
  if (parsed !== undefined) return withExactNumbers(parsed);
  const resources = content.filter(({ type }) => type === 'resource' || type === 'resource_link');
  if (texts.length === 0 && resources.length > 0) return resources;
  return texts.join('\n');
}

const withExactNumbers = (value: unknown): unknown =>
  hasRoundedNumber(value) ? parseJson(JSON.stringify(value, asText)) : value;

function asText(this: object, key: string, value: unknown): unknown {
  const written = typeof value === 'number' ? writtenNumber(this, key) : undefined;
  return written !== undefined && !isRepresentable(written) ? written : value;
}
