import type { Content, JsonObject, ToolResult } from '../../../api/result.ts';
import { keepWritten, toJson } from '../../../core/documents/written-numbers.ts';
import { rememberOriginal } from '../../../core/foreign/foreign-blocks.ts';
import { isObject } from '../transport/rpc-message.ts';

/** Metadata between Pegboard and the server, without meaning for the caller. */
const serverInfoKey = 'io.modelcontextprotocol/serverInfo';
/** Maximum characters of an error message; the content has all of it. */
const maxReasonLength = 4_000;

/**
 * Converts a server's result to ours. Content, structured content and `_meta` are unchanged; anything that is not MCP
 * content becomes text.
 */
export function toToolResult(tool: string, result: JsonObject): ToolResult {
  const { content, structuredContent, _meta, ...rest } = result;
  const { isError } = rest;
  const members = membersOf(keepWritten(result, rest));
  const blocks = Array.isArray(content) ? content.map(toContent) : contentOf(content);
  const meta = isObject(_meta) ? withoutServerInfo(_meta) : undefined;
  const order = Object.keys(result).filter(
    (name) => !ownToExchange.has(name) && (name !== '_meta' || meta !== undefined),
  );
  return {
    content: blocks,
    ...(structuredContent !== undefined && { structured: structuredContent }),
    ...(isError === true && {
      error: { code: 'PEG_TOOL_FAILED', stage: 'execute' as const, message: failureText(tool, blocks) },
    }),
    ...(meta && { meta }),
    ...(members && { members }),
    ...(!isUsual(order) && { order }),
  };
}

const defaultOrder = ['content', 'structuredContent', 'isError', '_meta'];

/** Members defined by MCP, in the order in which we write them, and then the others. */
function isUsual(order: readonly string[]): boolean {
  const places = order
    .map((name) => defaultOrder.indexOf(name))
    .map((at) => (at < 0 ? defaultOrder.length : at));
  return places.every((place, at) => at === 0 || place >= places[at - 1]!);
}

/** Any other result, without metadata of the exchange with this server. */
export function withoutExchange(result: JsonObject): JsonObject {
  const { _meta, ...rest } = result;
  const meta = isObject(_meta) ? withoutServerInfo(_meta) : _meta;
  const members = Object.entries(rest).filter(([key]) => !ownToExchange.has(key));
  return keepWritten(result, { ...Object.fromEntries(members), ...(meta !== undefined && { _meta: meta }) });
}

function contentOf(content: unknown): readonly Content[] {
  return content === undefined || content === null ? [] : [toContent(content)];
}

function toContent(block: unknown): Content {
  if (isContent(block)) return block;
  const text: Content = { type: 'text', text: typeof block === 'string' ? block : toJson(block) };
  if (isObject(block)) rememberOriginal(text, block);
  return text;
}

/** Metadata of the exchange between Pegboard and the server. */
const ownToExchange = new Set(['resultType', 'ttlMs', 'cacheScope']);

/** `isError: true` is left out, since a failure has `error`. */
function membersOf(rest: JsonObject): JsonObject | undefined {
  const members = Object.entries(rest).filter(
    ([key, value]) => !ownToExchange.has(key) && !(key === 'isError' && value === true),
  );
  return members.length > 0 ? keepWritten(rest, Object.fromEntries(members)) : undefined;
}

function isContent(block: unknown): block is Content {
  if (!isObject(block)) return false;
  const isText = (key: string): boolean => typeof block[key] === 'string';
  switch (block['type']) {
    case 'text':
      return isText('text');
    case 'image':
    case 'audio':
      return isText('data') && isText('mimeType');
    case 'resource':
      return isObject(block['resource']) && typeof block['resource']['uri'] === 'string';
    case 'resource_link':
      return isText('uri') && isText('name');
    default:
      return false;
  }
}

function withoutServerInfo(meta: JsonObject): JsonObject | undefined {
  if (!(serverInfoKey in meta)) return meta;
  const { [serverInfoKey]: _, ...rest } = meta;
  return Object.keys(rest).length > 0 ? keepWritten(meta, rest) : undefined;
}

function failureText(tool: string, content: readonly Content[]): string {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return text === '' ? `${tool} failed without saying why.` : text.slice(0, maxReasonLength);
}
