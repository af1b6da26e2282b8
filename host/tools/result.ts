import type { Content, ToolFailure, ToolOutput, ToolResult } from '../api/result.ts';

const contentTypes = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/** What a tool returned, as a result. Text for a string, structured content and its JSON for any other value. */
export function toResult(output: ToolOutput): ToolResult {
  if (output === undefined || output === null) return { content: [] };
  if (typeof output === 'string') return textResult(output);
  if (isResult(output)) return output;
  return {
    content: [{ type: 'text', text: JSON.stringify(output, null, 2) }],
    structured: output,
  };
}

export function textResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }] };
}

/** A failed result whose text is the failure's message, so that a caller who only looks at content sees it. */
export function failedResult(error: ToolFailure): ToolResult {
  return { content: [{ type: 'text', text: error.message }], error };
}

/** All text of a result, for people and logs. */
export function textOf(result: ToolResult): string {
  return result.content.map(contentText).join('\n');
}

function contentText(block: Content): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${Math.floor((block.data.length * 3) / 4)} bytes]`;
    case 'resource':
      return typeof block.resource['text'] === 'string'
        ? block.resource['text']
        : `[resource ${block.resource.uri}]`;
    case 'resource_link':
      return `[${block.name}: ${block.uri}]`;
  }
}

function isResult(value: object): value is ToolResult {
  const content = (value as { content?: unknown }).content;
  return (
    Array.isArray(content) &&
    content.every((block: unknown) => contentTypes.has((block as { type?: string } | null)?.type ?? '')) &&
    Object.keys(value).every((key) => ['content', 'structured', 'error', 'meta'].includes(key))
  );
}
