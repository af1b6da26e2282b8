import type { JsonObject, JsonSchema } from '../../../../api/result.ts';
import type { McpTransport } from '../../config.ts';
import type { Era } from '../era.ts';
import { isObject } from '../rpc-message.ts';

/** A parameter that is repeated as a header, for proxies in front of the server. */
interface Mirrored {
  readonly path: readonly string[];
  readonly header: unknown;
  readonly type: unknown;
  /** Reached through `properties` only, so that the value is always at the same path. */
  readonly reachable: boolean;
}

const marker = 'x-mcp-header';
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const known = new WeakMap<JsonSchema, readonly Mirrored[]>();
/** Numbers are left out, since they can be written in several ways. */
const mirrorable = new Set(['string', 'integer', 'boolean']);

/** Why a tool must not be used over HTTP: proxies in front of the server could not rely on the headers. */
export function headerProblem(schema: JsonSchema): string | undefined {
  const mirrored = findMirrored(schema);
  const taken = new Set<string>();
  for (const { path, header, type, reachable } of mirrored) {
    const place = `${marker} of "${path.join('.')}"`;
    if (typeof header !== 'string' || !token.test(header)) return `${place} is not a valid header name`;
    if (!reachable || path.length === 0) return `${place} is at a place where its value can't be looked up`;
    if (typeof type !== 'string' || !mirrorable.has(type))
      return `${place} belongs to a value that can't be a header`;
    if (taken.has(header.toLowerCase())) return `${place} names the header ${header} a second time`;
    taken.add(header.toLowerCase());
  }
  return undefined;
}

/** `Mcp-Param-…` of the 2026-07-28 protocol over HTTP, for parameters whose schema says `x-mcp-header`. */
export function paramHeaders(
  { transport, era }: { readonly transport: McpTransport; readonly era: Era },
  inputSchema: JsonSchema,
  args: JsonObject | undefined,
): Readonly<Record<string, string>> | undefined {
  if (!usesHeaders(transport, era)) return undefined;
  let mirrored = known.get(inputSchema);
  if (!mirrored) known.set(inputSchema, (mirrored = findMirrored(inputSchema)));
  if (mirrored.length === 0) return undefined;
  const headers: Record<string, string> = {};
  for (const { path, header } of mirrored) {
    const value = headerText(valueAt(args, path));
    if (value !== undefined) headers[`Mcp-Param-${String(header)}`] = value;
  }
  return headers;
}

export const usesHeaders = (transport: McpTransport, era: Era): boolean =>
  transport === 'http' && era.kind === 'modern';

function findMirrored(schema: unknown, path: readonly string[] = [], reachable = true): Mirrored[] {
  if (Array.isArray(schema)) return schema.flatMap((item) => findMirrored(item, path, false));
  if (!isObject(schema)) return [];
  const own = marker in schema ? [{ path, header: schema[marker], type: schema['type'], reachable }] : [];
  const { properties, ...others } = schema;
  const below = isObject(properties)
    ? Object.entries(properties).flatMap(([name, child]) => findMirrored(child, [...path, name], reachable))
    : [];
  return [...own, ...below, ...Object.values(others).flatMap((child) => findMirrored(child, path, false))];
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  return path.reduce((value: unknown, key) => (isObject(value) ? value[key] : undefined), args);
}

function headerText(value: unknown): string | undefined {
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' ? encodeHeader(value) : undefined;
}

/** Plain ASCII unchanged, everything else in base64 between marks, as the protocol requires. */
export function encodeHeader(value: string): string {
  const plain =
    /^[\t\u0020-\u007E]+$/.test(value) && value.trim() === value && !/^=\?base64\?.*\?=$/.test(value);
  return plain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
