import { watch } from 'node:fs';
import { join } from 'node:path';
import { parseJson, type Logger } from 'pegboard';
import type { Clock } from 'pegboard';
import type { Roots } from '../filesystem/access/roots.ts';
import type { Target, Watcher } from './tables.ts';
import { splitPattern } from '../filesystem/glob.ts';
import { toPathMatcher } from '../filesystem/search/glob-pattern.ts';
import { openPath } from '../filesystem/access/open-path.ts';

/** Milliseconds of quiet after a file changed, and between two checks that file events cause. */
const quietMs = 200;
const eventIntervalMs = 5_000;

/** Uses file system events to check watchers of files before their interval has passed. */
export interface FileEvents extends Disposable {
  /** Listens for exactly these watchers. */
  follow(watchers: readonly Watcher[]): void;
  /** When a watcher is due because of an event, in milliseconds; Infinity without one. */
  dueAt(watcher: number): number;
  /** The watcher is checked now. */
  checked(watcher: number): void;
}

export interface FileEventOptions {
  readonly roots: Roots;
  readonly clock: Clock;
  readonly log: Logger;
  readonly onEvent: () => void;
}

export function createFileEvents({ roots, clock, log, onEvent }: FileEventOptions): FileEvents {
  const followed = new Map<number, { readonly target: string; readonly watching: Disposable }>();
  const due = new Map<number, number>();
  const checkedAt = new Map<number, number>();

  const changed = (id: number): void => {
    if (due.has(id)) return;
    due.set(id, Math.max(clock.now() + quietMs, (checkedAt.get(id) ?? 0) + eventIntervalMs));
    onEvent();
  };
  return {
    follow(watchers) {
      for (const [id, { target, watching }] of followed) {
        if (watchers.some((watcher) => watcher.id === id && watcher.target === target)) continue;
        watching[Symbol.dispose]();
        followed.delete(id);
      }
      for (const { id, target } of watchers) {
        const parsed = parseJson(target) as Target;
        if (parsed.kind !== 'files' || followed.has(id)) continue;
        const watching = watchFiles(roots, parsed.pattern, { changed: () => changed(id), log });
        followed.set(id, { target, watching });
      }
    },
    dueAt: (watcher) => due.get(watcher) ?? Number.POSITIVE_INFINITY,
    checked(watcher) {
      checkedAt.set(watcher, clock.now());
      due.delete(watcher);
    },
    [Symbol.dispose]() {
      for (const { watching } of followed.values()) watching[Symbol.dispose]();
    },
  };
}

/**
 * Reports changes of files that may match the pattern. Events may be missed, on a network drive all of them, so the
 * regular checks remain necessary.
 */
function watchFiles(
  roots: Roots,
  pattern: string,
  { changed, log }: { readonly changed: () => void; readonly log: Logger },
): Disposable {
  const { prefix, rest } = splitPattern(pattern);
  const matches = toPathMatcher(rest);
  try {
    using reached = openPath(roots, prefix === '' ? '.' : prefix);
    if (!reached.stats?.isDirectory()) return nothing;
    const recursive = rest.includes('/') || rest.includes('**');
    const watching = watch(reached.path, { recursive, persistent: false }, (_event, name) => {
      if (name === null || matches(join('.', name))) changed();
    });
    watching.on('error', (cause) => {
      log.warn('files are checked only at intervals', { pattern, cause });
      watching.close();
    });
    return { [Symbol.dispose]: () => watching.close() };
  } catch (cause) {
    log.warn('files are checked only at intervals', { pattern, cause });
    return nothing;
  }
}

const nothing: Disposable = { [Symbol.dispose]: () => {} };
