import { join } from 'node:path';
import type { JsonObject } from '../../../api/result.ts';
import { toJson } from '../../../core/documents/written-numbers.ts';
import { dropReservedMeta } from '../../../core/foreign/reserved-meta.ts';
import { readJsonFile, writeJsonFile } from '../../../core/files/json-file.ts';
import { fileNameFor } from '../oauth/file-name.ts';
import type { McpTransport } from '../config.ts';
import { isEra, type Era } from '../transport/era.ts';
import { isObject } from '../transport/rpc-message.ts';

/** What a server was like when it was last seen: enough to list its tools before it has started. */
export interface CachedCatalog {
  /** Of the configuration that it was reached with. */
  readonly identity: string;
  readonly transport: McpTransport;
  readonly era: Era;
  /** As the server sent them: checked again whenever they are read. */
  readonly tools: readonly unknown[];
  /** Why the list is not whole, or none. */
  readonly cutOff?: string;
  readonly instructions?: string;
  readonly serverInfo?: JsonObject;
  readonly capabilities: JsonObject;
}

export interface CatalogCache {
  /** Undefined when nothing is known, or it was learned from another configuration. */
  read(server: string, identity: string): CachedCatalog | undefined;
  write(server: string, entry: CachedCatalog): Promise<void>;
}

/** One file a server. A file that can't be read counts as absent: it is only a copy of what the server says. */
export function openCatalogCache(folder: string): CatalogCache {
  const pathOf = (server: string): string => join(folder, fileNameFor(server));
  const written = new Map<string, string>();
  return {
    read(server, identity) {
      const entry = readJsonFile(pathOf(server));
      dropReservedMeta(entry);
      return isEntry(entry) && entry.identity === identity ? entry : undefined;
    },
    async write(server, entry) {
      const writable = { ...entry, tools: entry.tools.map((tool) => cutDeep(tool)) };
      const text = toJson(writable);
      if (written.get(server) === text) return;
      await writeJsonFile(pathOf(server), writable);
      written.set(server, text);
    },
  };
}

/** Levels of a tool's definition: more than one may have to be used. */
const maxDepth = 100;

/** The same value, or a copy that ends where it is too deep to be written. */
function cutDeep(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === maxDepth) return null;
  let copy: Record<string, unknown> | undefined;
  for (const [key, child] of Object.entries(value)) {
    const cut = cutDeep(child, depth + 1);
    if (cut === child) continue;
    copy ??= (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Record<string, unknown>;
    Object.defineProperty(copy, key, { value: cut, enumerable: true });
  }
  return copy ?? value;
}

function isEntry(value: unknown): value is CachedCatalog {
  return (
    isObject(value) &&
    typeof value['identity'] === 'string' &&
    ['stdio', 'http', 'sse'].includes(value['transport'] as string) &&
    isEra(value['era']) &&
    Array.isArray(value['tools']) &&
    isObject(value['capabilities'])
  );
}
