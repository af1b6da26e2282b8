import { LRUCache } from 'lru-cache';
import type { FileOrigins, PluginContext, Surroundings } from 'pegboard';
import type { CoreConfig } from '../../config.ts';
import { createRoots, type Roots } from './roots.ts';
import { isSameState, type FileState } from '../files.ts';

/** Files remembered at most, over all callers. */
const maxFiles = 5_000;

/** The services that all tools of the pack share. */
export interface FileAccess {
  readonly roots: Roots;
  readonly reads: ReadRecord;
  readonly origins: FileOrigins;
  readonly surroundings: Surroundings;
  /** Where the caller may write. */
  readonly knownFoldersFor: PluginContext['knownFoldersFor'];
}

export function createFileAccess(context: PluginContext<CoreConfig>): FileAccess {
  const { home, surroundings, config, log, fileOrigins } = context;
  const roots = createRoots(home, surroundings, config.roots, (message) => log.warn(message));
  const knownFoldersFor: FileAccess['knownFoldersFor'] = (...caller) => context.knownFoldersFor(...caller);
  return { roots, reads: createReadRecord(), origins: fileOrigins, surroundings, knownFoldersFor };
}

/** Records which file versions a caller has read, because only a version that was read may be overwritten. */
interface ReadRecord {
  note(caller: string, path: string, state: FileState): void;
  /** `changed`: read, but the file has changed since. */
  look(caller: string, path: string, state: FileState): 'read' | 'changed' | 'unread';
}

function createReadRecord(): ReadRecord {
  const states = new LRUCache<string, FileState>({ max: maxFiles });
  return {
    note: (caller, path, state) => void states.set(keyOf(caller, path), state),
    look(caller, path, state) {
      const known = states.get(keyOf(caller, path));
      if (!known) return 'unread';
      return isSameState(known, state) ? 'read' : 'changed';
    },
  };
}

const keyOf = (caller: string, path: string): string => `${caller}\0${path}`;
