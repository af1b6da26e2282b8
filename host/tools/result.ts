import type {
  Content,
  FailedResult,
  JsonObject,
  JsonSchema,
  StructuredResult,
  ToolFailure,
  ToolOutput,
  ToolResult,
} from '../api/result.ts';
import { parseJson, toJson } from '../core/documents/written-numbers.ts';
import { withoutReservedMeta } from '../core/foreign/reserved-meta.ts';
import { markUntrusted, originsOf } from '../core/foreign/untrusted.ts';
import type { SchemaProblem } from '../core/documents/explain.ts';
import { partAbout } from './schema-part.ts';
import { cutMiddle } from './output-limit.ts';

const contentTypes = new Set(['text', 'image', 'audio', 'resource', 'resource_link']);

/** The members of a block without which nobody can read it: texts, all of them. */
const required: { readonly [type: string]: readonly string[] } = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
};

/**
 * What the code of others returned as JSON has it, with its origins: without getters, classes and functions, which would
 * run, or fail, whenever it is read. Undefined for what JSON writes as null. Throws TypeError for what JSON hasn't, such as a circle, and for a block that can't be
 * read.
 */
export function plainOutput(output: ToolOutput): ToolOutput {
  if (output === undefined || typeof output === 'string') return output;
  const plain = parseJson(toJson(output) ?? 'null') as Exclude<ToolOutput, string | undefined>;
  if (typeof plain !== 'object') return plain;
  if (plain === null) return undefined;
  if (isResult(plain))
    for (const block of plain.content) {
      const missing = missingIn(block);
      if (missing !== undefined)
        throw new TypeError(`a block of its result, of the type ${block.type}, has no ${missing}`);
    }
  return markUntrusted(plain, ...originsOf(output as object));
}

function missingIn(block: Content): string | undefined {
  const { resource, ...own } = block as unknown as JsonObject;
  const isText = (value: unknown): boolean => typeof value === 'string';
  if (block.type !== 'resource') return required[block.type]!.find((name) => !isText(own[name]));
  const { uri, text, blob } = (resource ?? {}) as JsonObject;
  if (!isText(uri)) return 'resource with a uri';
  return isText(text) || isText(blob) ? undefined : 'text or blob';
}

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
  const texts = schema === undefined ? [error.message] : [error.message, schemaText(schema, error.data)];
  return { content: texts.map((text) => ({ type: 'text', text })), error };
}

/** Characters. */
const maxSchemaLength = 8_000;

function schemaText(schema: JsonSchema, data: unknown): string {
  const { problems = [] } = data as { readonly problems?: readonly SchemaProblem[] };
  const part = partAbout(schema, problems);
  const text = cutMiddle(toJson(part), maxSchemaLength, 'get_tool has all of it');
  const which = part === schema ? '' : ', whole only where they do not fit (get_tool has all of it)';
  return `The schema of the arguments${which}: ${text}`;
}

function schemaIn(data: unknown): JsonSchema | undefined {
  const schema = (data as { readonly schema?: unknown } | null | undefined)?.schema;
  return typeof schema === 'object' && schema !== null ? (schema as JsonSchema) : undefined;
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
