import type { Content, ToolResult } from '../api/result.ts';
import { withWritten } from '../core/documents/written-numbers.ts';
import { withoutTags } from '../core/foreign/visible-text.ts';

/**
 * The content of a result for a model: its blocks, structured content if there is no text, and the code of an error.
 * Invisible tags and escape sequences, which no person would see, are removed, and nothing else.
 */
export function toModelContent(result: ToolResult): readonly Content[] {
  return blocksOf(result).map(visibleBlock);
}

function blocksOf({ content, structured, error }: ToolResult): readonly Content[] {
  if (error) {
    const others = content.filter((block) => block.type !== 'text' || block.text !== error.message);
    return [text(`Error ${error.code}: ${error.message}`), ...others];
  }
  const silent = !content.some((block) => block.type === 'text' && block.text !== '');
  if (structured !== undefined && silent)
    return [text(JSON.stringify(withWritten(structured), visible)), ...content];
  return content.length > 0 ? content : [text('(done, no output)')];
}

function visibleBlock(block: Content): Content {
  switch (block.type) {
    case 'text':
      return { ...block, text: withoutTags(block.text) };
    case 'image':
    case 'audio':
      return block;
    case 'resource':
      return { ...block, resource: { ...block.resource, ...visibleTexts(block.resource) } };
    case 'resource_link':
      return { ...block, ...visibleTexts(block) };
  }
}

const visible = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? withoutTags(value) : value;

function visibleTexts(part: { readonly [key: string]: unknown }): { readonly [key: string]: string } {
  const texts = Object.entries(part).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, withoutTags(value)] as const] : [],
  );
  return Object.fromEntries(texts);
}

const text = (value: string): Content => ({ type: 'text', text: value });
