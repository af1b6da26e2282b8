import type { PluginManifest } from './loading/manifest.ts';
import { inTopologicalOrder } from './loading/topological-order.ts';

/** Plugins that are set up when they are needed. Each is set up once, whoever asks first. */
export interface Deferred {
  /** Those that wait, or are being set up. */
  readonly waiting: readonly PluginManifest[];
  add(manifests: readonly PluginManifest[]): void;
  /** Sets one up, with those that it requires. Resolves when it runs or has failed; at once if it doesn't wait. */
  activate(id: string): Promise<void>;
  /** Sets up all that wait, in their order. */
  complete(): Promise<void>;
}

/** `start` never rejects. */
export function createDeferred(start: (manifests: readonly PluginManifest[]) => Promise<void>): Deferred {
  let waiting: readonly PluginManifest[] = [];
  let completed: Promise<void> | undefined;
  const starting = new Map<string, Promise<void>>();

  const find = (id: string): PluginManifest | undefined => waiting.find((one) => one.id === id);
  /** The plugin with those of the waiting ones that it requires. */
  const withRequired = (id: string, found = new Set<PluginManifest>()): ReadonlySet<PluginManifest> => {
    const manifest = find(id);
    if (!manifest || found.has(manifest)) return found;
    found.add(manifest);
    for (const needed of manifest.requires.plugins ?? []) withRequired(needed, found);
    return found;
  };
  const startAll = async (manifests: readonly PluginManifest[], first: readonly Promise<void>[]) => {
    await Promise.all(first);
    if (manifests.length > 0) await start(manifests);
    waiting = waiting.filter((one) => !manifests.includes(one));
  };

  return {
    get waiting() {
      return waiting;
    },
    add(manifests) {
      waiting = [...waiting, ...manifests];
    },
    async activate(id) {
      if (completed) return await completed;
      const needed = inTopologicalOrder([...withRequired(id)]);
      const first = needed.flatMap((one) => starting.get(one.id) ?? []);
      const fresh = needed.filter((one) => !starting.has(one.id));
      const started = startAll(fresh, first);
      for (const one of fresh) starting.set(one.id, started);
      await started;
    },
    async complete() {
      // What is being set up ends first: the others may require it.
      if (waiting.length === 0) return;
      completed ??= Promise.all(starting.values()).then(() => startAll(waiting, []));
      await completed;
    },
  };
}
