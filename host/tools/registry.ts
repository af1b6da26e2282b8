import type { Lease, Registry, Snapshot, ToolSource } from '../api/source.ts';
import type { Logger } from '../api/log.ts';
import { buildSnapshot } from './snapshot.ts';
import { SourceEntry } from './source-entry.ts';

interface Handle extends AsyncDisposable {
  readonly entry: SourceEntry;
}

/** Sources come and go; readers see one immutable snapshot after another. */
export function createRegistry(log: Logger): Registry {
  let entries: readonly SourceEntry[] = [];
  let version = 0;
  /** Built on first use, so that starting with many sources builds one snapshot. */
  let current: Snapshot | undefined;
  let bySource = new Map<ToolSource, SourceEntry>();
  const opening = new Set<Promise<void>>();
  const listeners = new Set<(snapshot: Snapshot) => void>();

  const explaining = new Set<Snapshot['absent']>();
  const absent: Snapshot['absent'] = () => [...explaining].flatMap((find) => find());

  const snapshot = (): Snapshot => (current ??= buildSnapshot(version, entries, absent));
  const publish = (): void => {
    bySource = new Map(entries.map((entry) => [entry.source, entry]));
    current = undefined;
    version++;
    if (listeners.size > 0) tellAll(listeners, snapshot(), log);
  };

  const publishIfListed = (entry: SourceEntry): void => {
    if (entries.includes(entry)) publish();
  };
  const open = async (source: ToolSource): Promise<SourceEntry> => {
    const entry = new SourceEntry(source, log, publishIfListed);
    const opened = entry.open();
    opening.add(opened);
    try {
      await opened;
    } finally {
      opening.delete(opened);
    }
    return entry;
  };

  const toHandle = (entry: SourceEntry): Handle => ({
    entry,
    [Symbol.asyncDispose]: async () => {
      if (entries.includes(entry)) {
        entries = entries.filter((other) => other !== entry);
        publish();
      }
      await entry.retire();
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
      entry.retire().catch((cause: unknown) => log.error(`closing ${entry.source.id} failed`, { cause })),
    );
    const retired = async (): Promise<void> => void (await Promise.all(closing));
    return { handles: opened.map(toHandle), retired: retired() };
  };

  return {
    get snapshot() {
      return snapshot();
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
      const tool = snapshot().find(name);
      return tool && bySource.get(tool.source)?.lease(tool);
    },
    async settled() {
      for (;;) {
        const pending = [...opening, ...entries.flatMap(({ refreshing }) => refreshing ?? [])];
        if (pending.length === 0) return;
        await Promise.allSettled(pending);
      }
    },
    explainAbsent(find) {
      explaining.add(find);
      return { [Symbol.dispose]: () => void explaining.delete(find) };
    },
    onChange(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
  };
}

function tellAll(
  listeners: ReadonlySet<(snapshot: Snapshot) => void>,
  snapshot: Snapshot,
  log: Logger,
): void {
  for (const listener of listeners) {
    try {
      listener(snapshot);
    } catch (cause) {
      log.error('a listener of the registry failed', { cause });
    }
  }
}
