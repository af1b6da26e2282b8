import type { Content, JsonObject, ToolResult } from '../../../api/result.ts';
import { keepWritten, toJson } from '../../../core/documents/written-numbers.ts';
import { PegboardError } from '../../../core/errors.ts';
import { rememberOriginal } from '../../../core/foreign/foreign-blocks.ts';
import type { Era } from '../transport/era.ts';
import { isObject } from '../transport/rpc-message.ts';
import { content as fitContent, fitCall, fitLegacyCall, results, type Leave } from './fit.ts';

/** Metadata between Pegboard and the server, without meaning for the caller. */
const serverInfoKey = 'io.modelcontextprotocol/serverInfo';
/** Of a result and its metadata themselves, which are looked at several times. */
const maxMembers = 1_000;
/** Maximum characters of an error message; the content has all of it. */
const maxReasonLength = 4_000;

/**
 * Converts a server's result to ours. Content, structured content and `_meta` are unchanged, except for optional members
 * that aren't as MCP defines them; anything that is not MCP content becomes text.
 */
export function toToolResult(tool: string, given: JsonObject, era: Era['kind'], leave: Leave): ToolResult {
  checkMembers(`result of ${tool}`, given);
  checkMembers(`_meta of ${tool}`, given['_meta']);
  const result = (era === 'legacy' ? fitLegacyCall : fitCall)(given, '', leave) as JsonObject;
  const { content: blocks, structuredContent, _meta, ...rest } = result;
  const { isError } = rest;
  const members = membersOf(keepWritten(result, rest));
  const content = Array.isArray(blocks) ? blocks.map(toContent) : contentOf(blocks);
  const meta = isObject(_meta) ? withoutServerInfo(_meta) : undefined;
  const order = Object.keys(result).filter(
    (name) => !ownToExchange.has(name) && (name !== '_meta' || meta !== undefined),
  );
  return {
    content,
    ...(structuredContent !== undefined && { structured: structuredContent }),
    ...(isError === true && {
      error: { code: 'PEG_TOOL_FAILED', stage: 'execute' as const, message: failureText(tool, content) },
    }),
    ...(meta && { meta }),
    ...(members && { members }),
    ...(!isUsual(order) && { order }),
  };
}

function checkMembers(what: string, value: unknown): void {
  if (isObject(value) && Object.keys(value).length > maxMembers)
    throw new PegboardError(
      'PEG_SERVER_ERROR',
      `The ${what} has more than ${maxMembers} members: data belongs into structuredContent.`,
    );
}

const defaultOrder = ['content', 'structuredContent', 'isError', '_meta'];

/** Members defined by MCP, in the order in which we write them, and then the others. */
function isUsual(order: readonly string[]): boolean {
  const places = order
    .map((name) => defaultOrder.indexOf(name))
    .map((at) => (at < 0 ? defaultOrder.length : at));
  return places.every((place, at) => at === 0 || place >= places[at - 1]!);
}

/** The result of another method, without what isn't as MCP defines it, and metadata of the exchange with this server. */
export function toResult(method: string, given: JsonObject, leave: Leave): JsonObject {
  const result = (results[method]?.(given, '', leave) ?? given) as JsonObject;
  const { _meta, ...rest } = result;
  const meta = isObject(_meta) ? withoutServerInfo(_meta) : _meta;
  const members = Object.entries(rest).filter(([key]) => !ownToExchange.has(key));
  return keepWritten(result, { ...Object.fromEntries(members), ...(meta !== undefined && { _meta: meta }) });
}

/** `content` is no list. */
function contentOf(content: unknown): readonly Content[] {
  if (content === undefined || content === null) return [];
  return [isContent(content) ? content : asText(content)];
}

function toContent(block: unknown): Content {
  if (isContent(block)) return block;
  const text = asText(block);
  if (isObject(block)) rememberOriginal(text, block);
  return text;
}

const asText = (value: unknown): Content => ({
  type: 'text',
  text: typeof value === 'string' ? value : toJson(value),
});

/** Metadata of the exchange between Pegboard and the server. */
const ownToExchange = new Set(['resultType', 'ttlMs', 'cacheScope']);

/** `isError: true` is left out, since a failure has `error`. */
function membersOf(rest: JsonObject): JsonObject | undefined {
  const members = Object.entries(rest).filter(
    ([key, value]) => !ownToExchange.has(key) && !(key === 'isError' && value === true),
  );
  return members.length > 0 ? keepWritten(rest, Object.fromEntries(members)) : undefined;
}

const isContent = (block: unknown): block is Content => fitContent(block, '', () => {}) !== undefined;

function withoutServerInfo(meta: JsonObject): JsonObject | undefined {
  if (!(serverInfoKey in meta)) return meta;
  const { [serverInfoKey]: _, ...rest } = meta;
  return Object.keys(rest).length > 0 ? keepWritten(meta, rest) : undefined;
}

function failureText(tool: string, content: readonly Content[]): string {
  const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  return text === '' ? `${tool} failed without saying why.` : text.slice(0, maxReasonLength);
}
