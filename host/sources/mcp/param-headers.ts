import type { JsonObject, JsonSchema } from '../../api/result.ts';
import type { Connection } from './connection.ts';
import type { ListedTool } from './listed-tool.ts';
import { isObject } from './rpc-message.ts';

/** A parameter that is repeated as a header, so that what stands before a server can see it. */
interface Mirrored {
  readonly path: readonly string[];
  readonly header: string;
}

const marker = 'x-mcp-header';
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const known = new WeakMap<JsonSchema, readonly Mirrored[]>();

/** `Mcp-Param-…` of the 2026-07-28 protocol over HTTP, for parameters whose schema says `x-mcp-header`. */
export function paramHeaders(
  { transport, era }: Pick<Connection, 'transport' | 'era'>,
  { inputSchema }: ListedTool,
  args: JsonObject | undefined,
): Readonly<Record<string, string>> | undefined {
  if (transport !== 'http' || era.kind !== 'modern') return undefined;
  let mirrored = known.get(inputSchema);
  if (!mirrored) known.set(inputSchema, (mirrored = findMirrored(inputSchema, [])));
  if (mirrored.length === 0) return undefined;
  const headers: Record<string, string> = {};
  for (const { path, header } of mirrored) {
    const value = headerText(valueAt(args, path));
    if (value !== undefined) headers[`Mcp-Param-${header}`] = value;
  }
  return headers;
}

function findMirrored(schema: unknown, path: readonly string[]): Mirrored[] {
  if (!isObject(schema)) return [];
  const header = schema[marker];
  const own = typeof header === 'string' && token.test(header) && path.length > 0 ? [{ path, header }] : [];
  const properties = isObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  return [...own, ...properties.flatMap(([name, child]) => findMirrored(child, [...path, name]))];
}

function valueAt(args: unknown, path: readonly string[]): unknown {
  return path.reduce((value: unknown, key) => (isObject(value) ? value[key] : undefined), args);
}

function headerText(value: unknown): string | undefined {
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  return typeof value === 'string' ? encodeHeader(value) : undefined;
}

/** Plain ASCII as it is, everything else in base64 between marks, as the protocol has it. */
export function encodeHeader(value: string): string {
  const plain =
    /^[\t\u0020-\u007E]+$/.test(value) && value.trim() === value && !/^=\?base64\?.*\?=$/.test(value);
  return plain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
