import type { Content, JsonObject, ToolResult } from '../../api/result.ts';

/**
 * Keys of MCP's `_meta` that are reserved for Pegboard. Nothing reads them, because Pegboard keeps its own metadata
 * apart from values. They are dropped at every boundary anyway, so that nobody can impersonate Pegboard.
 */
const isReserved = (key: string): boolean => key.startsWith('pegboard/');

/**
 * Removes the reserved keys from every `_meta` in a value parsed from JSON, in place, at any depth. Members in `left`
 * are skipped.
 */
export function dropReservedMeta(json: unknown, left?: unknown): void {
  const waiting: unknown[] = [json];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null || value === left) continue;
    if (Array.isArray(value)) {
      for (const item of value as unknown[]) if (typeof item === 'object') waiting.push(item);
      continue;
    }
    const members = value as Record<string, unknown>;
    for (const key of Object.keys(members)) {
      if (key === '_meta') dropFrom(members);
      if (typeof members[key] === 'object') waiting.push(members[key]);
    }
  }
}

function dropFrom(holder: Record<string, unknown>): void {
  const meta = holder['_meta'];
  if (typeof meta !== 'object' || meta === null) return;
  const reserved = Object.keys(meta).filter(isReserved);
  if (reserved.length === 0) return;
  for (const key of reserved) delete (meta as Record<string, unknown>)[key];
  if (Object.keys(meta).length === 0) delete holder['_meta'];
}

/**
 * The same for one or several messages of an MCP client. Arguments of tools are left unchanged, because they are for
 * the tool.
 */
export function dropReservedFromRequests(json: unknown): void {
  for (const message of [json].flat()) {
    const params = (message as { readonly params?: { readonly arguments?: unknown } | null } | null)?.params;
    dropReservedMeta(message, params?.arguments);
  }
}

/**
 * The result of a tool that is not an MCP tool, which may have copied the keys from elsewhere. The same object if it
 * has none.
 */
export function withoutReservedMeta(result: ToolResult): ToolResult {
  const meta = withoutReservedKeys(result.meta);
  const content = result.content.map(withoutReserved);
  if (meta === result.meta && content.every((block, at) => block === result.content[at])) return result;
  const { meta: _, ...rest } = result;
  return { ...rest, content, ...(meta && { meta }) };
}

function withoutReserved(block: Content): Content {
  const clean = withCleanMeta(block as Content & JsonObject);
  if (clean.type !== 'resource') return clean;
  const resource = withCleanMeta(clean.resource);
  return resource === clean.resource ? clean : { ...clean, resource };
}

function withCleanMeta<T extends JsonObject>(holder: T): T {
  const meta = withoutReservedKeys(holder['_meta'] as JsonObject | undefined);
  if (meta === holder['_meta']) return holder;
  const { _meta: _, ...rest } = holder;
  return { ...rest, ...(meta && { _meta: meta }) } as unknown as T;
}

/** Undefined if nothing is left. */
function withoutReservedKeys(meta: JsonObject | undefined): JsonObject | undefined {
  if (typeof meta !== 'object' || meta === null || !Object.keys(meta).some(isReserved)) return meta;
  const kept = Object.entries(meta).filter(([key]) => !isReserved(key));
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
