import type { PluginContext } from 'pegboard';
import type { Clock } from 'pegboard';
import type { FileAccess } from '../filesystem/access/file-access.ts';
import type { WatcherStore } from './store.ts';

/** The services that the tools share. Their code is loaded when the first tool runs. */
export interface Watching {
  readonly context: PluginContext<any>;
  readonly files: FileAccess;
  readonly clock: Clock;
  store(): Promise<WatcherStore>;
  /** Watchers have changed: a runner in this process checks at once. */
  wake(): void;
}
