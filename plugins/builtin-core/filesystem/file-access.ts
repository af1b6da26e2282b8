import type { FileOrigins, PluginContext } from 'pegboard';
import type { CoreConfig } from '../config.ts';
import { createReadRecord, type ReadRecord } from './read-record.ts';
import { createRoots, type Roots } from './roots.ts';

/** What all tools of the pack share. */
export interface FileAccess {
  readonly roots: Roots;
  readonly reads: ReadRecord;
  readonly origins: FileOrigins;
}

export function createFileAccess({ home, config, log, fileOrigins }: PluginContext<CoreConfig>): FileAccess {
  const roots = createRoots(home, config.roots, (message) => log.warn(message));
  return { roots, reads: createReadRecord(), origins: fileOrigins };
}
