import type { FileMentions, PluginCommand, PluginContext, Service, Tool } from 'pegboard';
import type { Clock } from 'pegboard';
import type { FileAccess } from '../filesystem/access/file-access.ts';
import { migrations } from '../migrations.ts';
import { watcherCommands } from './commands.ts';
import type { Watching } from './watching.ts';
import type { WatcherStore } from './store.ts';
import type { WatcherTables } from './tables.ts';
import { createWatchHistory } from './tools/history.ts';
import { createWatchList } from './tools/list.ts';
import { createWatchStart } from './tools/start.ts';
import { createWatchStatus } from './tools/status.ts';
import { createWatchSwitch } from './tools/switch.ts';

export function createWatchingParts(
  context: PluginContext<any>,
  files: FileAccess,
  clock: Clock = context.surroundings.clock,
): {
  readonly tools: readonly Tool[];
  readonly service: Service;
  readonly commands: { readonly [name: string]: PluginCommand };
  readonly mentions: () => Promise<readonly FileMentions[]>;
} {
  const database = context.database<WatcherTables>(migrations);
  let opened: WatcherStore | undefined;
  let wake = (): void => {};
  const store = async (): Promise<WatcherStore> =>
    (opened ??= (await import('./store.ts')).createWatcherStore(database));
  const watching: Watching = { context, files, clock, store, wake: () => wake() };
  return {
    tools: [
      createWatchStart(watching),
      createWatchSwitch(watching, 'watch_stop'),
      createWatchSwitch(watching, 'watch_pause'),
      createWatchSwitch(watching, 'watch_resume'),
      createWatchStatus(watching),
      createWatchList(watching),
      createWatchHistory(watching),
    ],
    commands: watcherCommands(watching),
    async mentions() {
      const { mentionsOf } = await import('./mentions.ts');
      return (await (await store()).list('not stopped')).flatMap((watcher) => mentionsOf(watcher, context));
    },
    service: {
      name: 'watchers',
      async start() {
        const { startWatchers } = await import('./runner.ts');
        const { agents, converse, deliver, dispatch, log } = context;
        const runner = await startWatchers({
          store: await store(),
          engine: await context.engine(),
          agents,
          roots: files.roots,
          origins: files.origins,
          converse: (message) => converse(message),
          deliver: (to, message, signal) => deliver(to, message, signal),
          dispatch: (request) => dispatch(request),
          clock,
          log,
        });
        wake = () => runner.wake();
        return runner;
      },
    },
  };
}
