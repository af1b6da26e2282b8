import type { PluginContext } from 'pegboard';
import type { Clock } from '../background/clock.ts';
import type { FileAccess } from '../filesystem/access/file-access.ts';
import type { WatcherStore } from './store.ts';

/** What the tools need. Its code is loaded when the first of them runs. */
export interface Watching {
  readonly context: PluginContext<any>;
  readonly files: FileAccess;
  readonly clock: Clock;
  store(): Promise<WatcherStore>;
  /** Watchers have changed: a runner in this process checks at once. */
  wake(): void;
}
