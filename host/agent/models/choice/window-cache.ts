import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../../api/log.ts';
import { readJsonFile, writeJsonFile } from '../../../core/files/json-file.ts';

/** What a server said of a model's context window. */
export interface CachedWindow {
  /** Absent: the server didn't say. */
  readonly tokens?: number;
  /** Milliseconds since 1970: after that it's asked again. */
  readonly until: number;
}

/** Answers of servers about their models, kept so that not every process of a home asks. */
export interface WindowCache {
  /** Undefined when nothing is known, or it is too old. */
  get(baseUrl: string, name: string): CachedWindow | undefined;
  /** What can't be written is asked again next time. */
  set(baseUrl: string, name: string, window: CachedWindow): Promise<void>;
}

const keyOf = (baseUrl: string, name: string): string => `${baseUrl} ${name}`;

/** In `data/context-windows.json`. A home that isn't there is not made by it. */
export function createWindowCache(home: string, log: Logger): WindowCache {
  const file = join(home, 'data/context-windows.json');
  return {
    get: (baseUrl, name) => read(file).get(keyOf(baseUrl, name)),
    async set(baseUrl, name, window) {
      if (!existsSync(home)) return;
      const all = read(file).set(keyOf(baseUrl, name), window);
      await writeJsonFile(file, Object.fromEntries(all)).catch((cause: unknown) =>
        log.warn(`the context window of ${name} can't be kept`, { cause }),
      );
    },
  };
}

/** What still holds. */
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
