import { join } from 'node:path';
import type { JsonObject } from '../../../api/result.ts';
import { toJson } from '../../../core/documents/written-numbers.ts';
import { dropReservedMeta } from '../../../core/foreign/reserved-meta.ts';
import { readJsonFile, writeJsonFile } from '../../../core/files/json-file.ts';
import { fileNameFor } from '../oauth/file-name.ts';
import type { McpTransport } from '../config.ts';
import { isEra, type Era } from '../transport/era.ts';
import { isObject } from '../transport/rpc-message.ts';

/** What is cached of a server: enough to list its tools before it has started. */
export interface CachedCatalog {
  /** Hash of the configuration with which it was reached. */
  readonly identity: string;
  readonly transport: McpTransport;
  readonly era: Era;
  /** As the server sent them; checked each time they are read. */
  readonly tools: readonly unknown[];
  /** Why the list is incomplete. Absent when it is complete. */
  readonly cutOff?: string;
  readonly instructions?: string;
  readonly serverInfo?: JsonObject;
  readonly capabilities: JsonObject;
}

export interface CatalogCache {
  /** Undefined when nothing is cached, or it was cached with another configuration. */
  read(server: string, identity: string): CachedCatalog | undefined;
  write(server: string, entry: CachedCatalog): Promise<void>;
}

/** One file for each server. An unreadable file counts as absent, since it is only a copy. */
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

/** Maximum nesting of a cached definition: deeper than that of any usable tool. */
const maxDepth = 100;

/** The same value, or a copy without the levels that are too deep to be written. */
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
