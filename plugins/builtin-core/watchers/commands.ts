import { parseJson, PegboardError, type CommandCall, type PluginCommand, pegboard } from 'pegboard';
import type { Target, Watcher } from './tables.ts';
import { switchTo, type Turned } from './turn.ts';
import type { Watching } from './watching.ts';

const defaultLimit = 20;

/** `pegboard watcher …` */
export function watcherCommands(watching: Watching): { readonly [name: string]: PluginCommand } {
  const turn =
    (to: Turned): PluginCommand =>
    async (call) => {
      const { id } = await watcherNamed(watching, call);
      const { said, state } = await switchTo(watching, to, () => watcherNamed(watching, call));
      if (call.options['json'] === true) return call.json({ id, state });
      call.out(said);
    };
  return {
    async 'watcher list'(call) {
      const { describeTarget, describeWatcher } = await import('./describe.ts');
      const watchers = await (
        await watching.store()
      ).list(call.options['all'] === true ? 'all' : 'not stopped');
      if (call.options['json'] === true)
        return call.json({
          watchers: watchers.map((watcher) => {
            const { seen: _seen, rights: _rights, ...rest } = watcher;
            return {
              ...rest,
              watches: describeTarget(parseJson(watcher.target) as Target),
              what: describeWatcher(watcher),
            };
          }),
        });
      for (const watcher of watchers) call.out(describeWatcher(watcher));
      if (watchers.length === 0) call.out('There are no watchers.');
    },
    async 'watcher history'(call) {
      const store = await watching.store();
      const one = call.words.length === 0 ? undefined : await watcherNamed(watching, call);
      const entries = await store.history(one?.id, limitOf(call));
      if (call.options['json'] === true)
        return call.json({ entries: entries.map(({ job: _job, ...entry }) => entry) });
      const { describeEntry } = await import('./describe.ts');
      for (const entry of entries) call.out(describeEntry(entry));
      if (entries.length === 0) call.out('Nothing has happened yet.');
    },
    'watcher pause': turn('paused'),
    'watcher resume': turn('active'),
    'watcher stop': turn('stopped'),
  };
}

async function watcherNamed(watching: Watching, { words }: CommandCall): Promise<Watcher> {
  const id = Number(words[0]);
  const watcher = Number.isInteger(id) ? await (await watching.store()).find(id) : undefined;
  if (watcher) return watcher;
  throw new PegboardError(
    'PEG_USAGE',
    `There is no watcher "${words[0]}". \`${pegboard} watcher list --all\` lists them.`,
  );
}

function limitOf({ options }: CommandCall): number {
  const limit = Number(options['limit'] ?? defaultLimit);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new PegboardError('PEG_USAGE', '--limit takes a whole number above 0.');
}
