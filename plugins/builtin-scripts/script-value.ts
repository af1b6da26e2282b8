import type { ToolResult } from 'pegboard';
import { parsedJson, withExactNumbers } from 'pegboard/kit';

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
