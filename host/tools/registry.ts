import type { Lease, Listing, Registry, Snapshot, ToolSource } from '../api/source.ts';
import type { Logger } from '../api/log.ts';
import { messageOf } from '../core/errors.ts';
import { buildSnapshot } from './snapshot.ts';

interface Entry {
  readonly source: ToolSource;
  listing: Listing;
  /** Calls that still run on this source. */
  held: number;
  readonly idle: PromiseWithResolvers<void>;
  removed: boolean;
  unwatch?: Disposable | undefined;
}

interface Handle extends AsyncDisposable {
  readonly entry: Entry;
}

/** Sources come and go; readers see one immutable snapshot after the other. */
export function createRegistry(log: Logger): Registry {
  let entries: readonly Entry[] = [];
  let version = 0;
  /** Built when someone looks, so that a start with many sources builds one and not one for each. */
  let current: Snapshot | undefined;
  let bySource = new Map<ToolSource, Entry>();
  const listeners = new Set<(snapshot: Snapshot) => void>();

  const look = (): Snapshot => (current ??= buildSnapshot(version, entries));
  const publish = (): void => {
    bySource = new Map(entries.map((entry) => [entry.source, entry]));
    current = undefined;
    version++;
    for (const listener of listeners) {
      try {
        listener(look());
      } catch (cause) {
        log.error('a listener of the registry failed', { cause });
      }
    }
  };

  const open = async (source: ToolSource): Promise<Entry> => {
    const entry: Entry = {
      source,
      listing: { tools: [] },
      held: 0,
      idle: Promise.withResolvers(),
      removed: false,
    };
    const refresh = createRefresh(entry);
    entry.unwatch = source.watch?.(() => void refresh());
    await refresh();
    return entry;
  };

  const refreshing = new Set<Promise<void>>();
  const tracked = (refresh: Promise<void>): Promise<void> => {
    refreshing.add(refresh);
    const forget = (): void => void refreshing.delete(refresh);
    refresh.then(forget, forget);
    return refresh;
  };

  /** Level-triggered: changes that come while it lists make it list once more, however many they are. */
  const createRefresh = (entry: Entry): (() => Promise<void>) => {
    let again = false;
    let running: Promise<void> | undefined;
    const refresh = async (): Promise<void> => {
      do {
        again = false;
        entry.listing = await list(entry.source, entry.listing, log);
      } while (again);
      running = undefined;
      if (entries.includes(entry)) publish();
    };
    return () => {
      again = true;
      return entry.removed ? Promise.resolve() : (running ??= tracked(refresh()));
    };
  };

  const retire = async (entry: Entry): Promise<void> => {
    if (entry.removed) return;
    entry.removed = true;
    entry.unwatch?.[Symbol.dispose]();
    if (entry.held > 0) await entry.idle.promise;
    await entry.source[Symbol.asyncDispose]?.();
  };

  const toHandle = (entry: Entry): Handle => ({
    entry,
    [Symbol.asyncDispose]: async () => {
      if (entries.includes(entry)) {
        entries = entries.filter((other) => other !== entry);
        publish();
      }
      await retire(entry);
    },
  });

  const swap: Registry['swap'] = async (old, sources, commit) => {
    const previous = old.map((handle) => (handle as Handle).entry);
    const opened = await Promise.all(sources.map(open));
    const at = entries.findIndex((entry) => previous.includes(entry));
    const before = at < 0 ? entries : entries.slice(0, at);
    const after = at < 0 ? [] : entries.slice(at).filter((entry) => !previous.includes(entry));
    entries = [...before, ...opened, ...after];
    commit?.();
    publish();
    const closing = previous.map((entry) =>
      retire(entry).catch((cause: unknown) => log.error(`closing ${entry.source.id} failed`, { cause })),
    );
    const retired = async (): Promise<void> => void (await Promise.all(closing));
    return { handles: opened.map(toHandle), retired: retired() };
  };

  return {
    get snapshot() {
      return look();
    },
    async add(source) {
      const entry = await open(source);
      entries = [...entries, entry];
      publish();
      return toHandle(entry);
    },
    async replace(old, source) {
      const { handles } = await swap([old], [source]);
      return handles[0]!;
    },
    swap,
    acquire(name): Lease | undefined {
      const tool = look().find(name);
      const entry = tool && bySource.get(tool.source);
      if (!entry) return undefined;
      entry.held++;
      return {
        tool,
        [Symbol.dispose]: () => {
          if (--entry.held === 0 && entry.removed) entry.idle.resolve();
        },
      };
    },
    async settled() {
      while (refreshing.size > 0) await Promise.allSettled(refreshing);
    },
    onChange(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}

/** What the source lists now; on failure what it listed before, with a diagnostic. */
async function list(source: ToolSource, previous: Listing, log: Logger): Promise<Listing> {
  try {
    return await source.list();
  } catch (cause) {
    log.error(`listing ${source.id} failed`, { cause });
    const message = `${source.id} could not be listed: ${messageOf(cause)}${previous.tools.length ? '; its last good list stays in service' : ''}`;
    return {
      tools: previous.tools,
      diagnostics: [
        {
          severity: 'error',
          code: 'source-failed',
          message,
          ...(source.origin !== undefined && { path: source.origin }),
        },
      ],
    };
  }
}
