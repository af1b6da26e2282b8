import type {
  Content,
  FailedResult,
  StructuredResult,
  ToolFailure,
  ToolOutput,
  ToolResult,
} from '../api/result.ts';
import { toJson } from '../core/documents/written-numbers.ts';
import { withoutReservedMeta } from '../core/foreign/reserved-meta.ts';
import { cutMiddle } from './output-limit.ts';

const contentTypes = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/** Normalises what a tool returned: a string becomes text, any other value structured content and its JSON. */
export function toResult(output: ToolOutput): ToolResult {
  if (output === undefined || output === null) return { content: [] };
  if (typeof output === 'string') return textResult(output);
  if (isResult(output)) return withoutReservedMeta(output);
  return {
    content: [{ type: 'text', text: toJson(output, 2) }],
    structured: output,
  };
}

/** A result of one text for models and people, and the same as structured content for programs. */
export function textResult(text: string): ToolResult;
export function textResult<Structured>(text: string, structured: Structured): StructuredResult<Structured>;
export function textResult(text: string, structured?: unknown): ToolResult {
  return { content: [{ type: 'text', text }], ...(structured !== undefined && { structured }) };
}

/**
 * A failed result whose text is the failure's message, for callers that only read content. Invalid arguments come with
 * the schema, so that a model that saw only a listing can repair its call.
 */
export function failedResult(error: ToolFailure): FailedResult {
  const schema = error.code === 'PEG_INVALID_ARGUMENTS' ? schemaIn(error.data) : undefined;
  const texts = schema === undefined ? [error.message] : [error.message, schemaText(schema)];
  return { content: texts.map((text) => ({ type: 'text', text })), error };
}

/** Characters. */
const maxSchemaLength = 8_000;

function schemaText(schema: object): string {
  const text = cutMiddle(toJson(schema), maxSchemaLength, 'get_tool has all of it');
  return `The schema of the arguments: ${text}`;
}

function schemaIn(data: unknown): object | undefined {
  const schema = (data as { readonly schema?: unknown } | null | undefined)?.schema;
  return typeof schema === 'object' && schema !== null ? schema : undefined;
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
    Object.keys(value).every((key) =>
      ['content', 'structured', 'error', 'meta', 'members', 'order'].includes(key),
    )
  );
}
