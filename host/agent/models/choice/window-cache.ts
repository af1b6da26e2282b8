import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../../api/log.ts';
import { readJsonFile, writeJsonFile } from '../../../core/files/json-file.ts';

/** A server's response about a model's context window. */
interface CachedWindow {
  /** Absent: the server didn't say. */
  readonly tokens?: number;
  /** Expiry, in milliseconds since 1970. */
  readonly until: number;
}

/** Caches context windows on disk, so that not every process of a home has to ask. */
export interface WindowCache {
  /** Undefined when unknown or expired. */
  get(baseUrl: string, name: string): CachedWindow | undefined;
  /** A failure to write is logged. */
  set(baseUrl: string, name: string, window: CachedWindow): Promise<void>;
}

const keyOf = (baseUrl: string, name: string): string => `${baseUrl} ${name}`;

/** Stored in `data/context-windows.json`. Doesn't create a missing home. */
export function createWindowCache(home: string, log: Logger): WindowCache {
  const file = join(home, 'data/context-windows.json');
  return {
    get: (baseUrl, name) => read(file).get(keyOf(baseUrl, name)),
    async set(baseUrl, name, window) {
      if (!existsSync(home)) return;
      const all = read(file).set(keyOf(baseUrl, name), window);
      await writeJsonFile(file, Object.fromEntries(all)).catch((cause: unknown) =>
        log.warn(`the context window of ${name} could not be cached`, { cause }),
      );
    },
  };
}

/** The entries that have not expired. */
function read(file: string): Map<string, CachedWindow> {
  const now = Date.now();
  const entries = Object.entries(readJsonFile(file) ?? {}) as [string, unknown][];
  return new Map(entries.filter((entry): entry is [string, CachedWindow] => isCurrent(entry[1], now)));
}

function isCurrent(entry: unknown, now: number): boolean {
  const { tokens, until } = (entry ?? {}) as Record<keyof CachedWindow, unknown>;
  const sound = tokens === undefined || (typeof tokens === 'number' && tokens > 0);
  return sound && typeof until === 'number' && until > now;
}
