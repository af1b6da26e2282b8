import type { FileOrigins, PluginContext } from 'pegboard';
import type { CoreConfig } from '../../config.ts';
import { createReadRecord, type ReadRecord } from '../edit/read-record.ts';
import { createRoots, type Roots } from './roots.ts';

/** What all tools of the pack share. */
export interface FileAccess {
  readonly roots: Roots;
  readonly reads: ReadRecord;
  readonly origins: FileOrigins;
  /** Where whoever acts may write. */
  readonly knownFoldersFor: PluginContext['knownFoldersFor'];
}

export function createFileAccess(context: PluginContext<CoreConfig>): FileAccess {
  const { home, config, log, fileOrigins } = context;
  const roots = createRoots(home, config.roots, (message) => log.warn(message));
  const knownFoldersFor: FileAccess['knownFoldersFor'] = (scope) => context.knownFoldersFor(scope);
  return { roots, reads: createReadRecord(), origins: fileOrigins, knownFoldersFor };
}
