import type { Logger } from '../api/log.ts';
import type { MaybePromise } from '../api/result.ts';
import type { Registry } from '../api/source.ts';
import type { Clock } from '../api/surroundings.ts';
import { withinLimit } from '../core/async/deadline.ts';
import type { PluginInstance } from './instance.ts';
import { withoutConflicts } from './kinds/name-conflicts.ts';
import type { PluginGuard } from './plugin-guard.ts';
import { startServices } from './services.ts';

/** Milliseconds that calls on a retired instance have left to end. */
const retireTimeoutMs = 30_000;

interface Running {
  /** With all that it brings, even where another plugin has the name. */
  readonly complete: PluginInstance;
  instance: PluginInstance;
  handles: readonly AsyncDisposable[];
  services: AsyncDisposable | undefined;
}

/** The plugins that run, one instance for each id. */
export interface RunningPlugins {
  has(id: string): boolean;
  get(id: string): PluginInstance | undefined;
  all(): readonly PluginInstance[];
  /** Runs `work` with the instance, which isn't closed before it ends, as calls of its tools do. */
  borrow<T>(instance: PluginInstance, work: () => MaybePromise<T>): Promise<T>;
  /**
   * Swaps the instance of a plugin, or removes it when `instance` is undefined. Tools, hooks and everything else change
   * in one synchronous step, which ends with `onSwap`. The old services end before the new ones start.
   */
  replace(id: string, instance: PluginInstance | undefined): Promise<void>;
  /** Starts the services of all plugins, and from now on those of plugins that are added later. */
  startServices(): Promise<void>;
  /** Ends all services, the last ones first, and starts no more. Free names are not given to others any more. */
  stopServices(): Promise<void>;
  /** Resolves when the replaced instances are disposed. */
  retired(): Promise<void>;
}

export function createRunningPlugins(
  registry: Registry,
  log: Logger,
  clock: () => Clock,
  onSwap: () => void,
): RunningPlugins {
  const running = new Map<string, Running>();
  const retiring = new Set<Promise<void>>();
  let servicesRun = false;
  let closing = false;

  const uses = createUses();
  const retire = (instance: PluginInstance, callsEnded: Promise<void>): void => {
    const end = async (): Promise<void> => {
      await withinLimit(Promise.all([callsEnded, uses.ended(instance)]), retireTimeoutMs, clock()).catch(() =>
        log.warn(`calls on the old ${instance.manifest.id} still run; it is closed anyway`),
      );
      await instance[Symbol.asyncDispose]();
    };
    const ending = end().finally(() => retiring.delete(ending));
    retiring.add(ending);
  };

  const startServicesOf = (id: string, { instance }: Running): Promise<AsyncDisposable> =>
    startServices(instance.services, { guard: instance.guard, log: log.child(id), clock: clock() });

  const othersThan = (id: string): readonly PluginInstance[] =>
    [...running].flatMap(([other, { instance }]) => (other === id ? [] : instance));

  /** Gives the other plugins the names that no other plugin has any more. */
  const giveFreeNames = async (): Promise<void> => {
    if (closing) return;
    for (const [id, entry] of running) {
      const { complete, instance } = entry;
      if (instance.diagnostics.length === complete.diagnostics.length) continue;
      const next = withoutConflicts(complete, othersThan(id));
      if (next.diagnostics.length === instance.diagnostics.length) continue;
      const free = next.toolSources.filter((source) => !instance.toolSources.includes(source));
      const { handles } = await registry.swap([], free, () => {
        entry.instance = next;
        onSwap();
      });
      entry.handles = [...entry.handles, ...handles];
      // It was replaced or removed in the meantime, with the handles that it had.
      if (running.get(id) !== entry) await Promise.all(handles.map((one) => one[Symbol.asyncDispose]()));
    }
  };

  return {
    has: (id) => running.has(id),
    get: (id) => running.get(id)?.instance,
    all: () => [...running.values()].map(({ instance }) => instance),
    borrow: (instance, work) => uses.borrow(instance, work),
    async replace(id, instance) {
      const old = running.get(id);
      const next = instance && withoutConflicts(instance, othersThan(id));
      const entered: Running | undefined = next && {
        complete: instance,
        instance: next,
        handles: [],
        services: undefined,
      };
      const { handles, retired } = await registry.swap(old?.handles ?? [], next?.toolSources ?? [], () => {
        running.delete(id);
        if (entered) running.set(id, entered);
        onSwap();
      });
      if (entered) entered.handles = handles;
      await old?.services?.[Symbol.asyncDispose]();
      if (old) retire(old.instance, retired);
      if (entered && servicesRun) entered.services = await startServicesOf(id, entered);
      await giveFreeNames();
    },
    async startServices() {
      servicesRun = true;
      for (const [id, entry] of running) {
        entry.services ??= await startServicesOf(id, entry);
      }
    },
    async stopServices() {
      servicesRun = false;
      closing = true;
      for (const { services } of [...running.values()].toReversed()) await services?.[Symbol.asyncDispose]();
    },
    async retired() {
      await Promise.all(retiring);
    },
  };
}

/** Who uses what an instance provides. */
function createUses() {
  /** By guard, which an instance keeps while it loses and gets names. */
  const uses = new WeakMap<PluginGuard, Set<Promise<unknown>>>();
  return {
    async borrow<T>({ guard }: PluginInstance, work: () => MaybePromise<T>): Promise<T> {
      const all = uses.get(guard) ?? new Set<Promise<unknown>>();
      uses.set(guard, all);
      const use = (async () => await work())();
      all.add(use);
      try {
        return await use;
      } finally {
        all.delete(use);
      }
    },
    async ended({ guard }: PluginInstance): Promise<void> {
      const all = uses.get(guard);
      if (all) await Promise.allSettled(all);
    },
  };
}
