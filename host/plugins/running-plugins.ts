import type { Logger } from '../api/log.ts';
import type { Registry } from '../api/source.ts';
import { withinLimit } from '../core/async/deadline.ts';
import type { PluginInstance } from './instance.ts';
import { withoutConflicts } from './name-conflicts.ts';
import { startServices, type RunningServices } from './services.ts';

/** Milliseconds that calls on a retired instance have left to end. */
const retireTimeoutMs = 30_000;

interface Running {
  readonly instance: PluginInstance;
  readonly handles: readonly AsyncDisposable[];
  services: RunningServices | undefined;
}

/** The plugins that run, one instance for each id. */
export interface RunningPlugins {
  has(id: string): boolean;
  get(id: string): PluginInstance | undefined;
  all(): readonly PluginInstance[];
  /**
   * Swaps the instance of a plugin, or removes it when `instance` is undefined. Tools, hooks and everything else change
   * in one synchronous step, which ends with `onSwap`. The old services end before the new ones start.
   */
  replace(id: string, instance: PluginInstance | undefined): Promise<void>;
  /** Starts the services of all plugins, and from now on those of plugins that are added later. */
  startServices(): Promise<void>;
  /** No more services are started. */
  stopStarting(): void;
  /** Resolves when the replaced instances are disposed. */
  retired(): Promise<void>;
}

export function createRunningPlugins(registry: Registry, log: Logger, onSwap: () => void): RunningPlugins {
  const running = new Map<string, Running>();
  const retiring = new Set<Promise<void>>();
  let servicesRun = false;

  const retire = (instance: PluginInstance, callsEnded: Promise<void>): void => {
    const end = async (): Promise<void> => {
      await withinLimit(callsEnded, retireTimeoutMs).catch(() =>
        log.warn(`calls on the old ${instance.manifest.id} still run; it is closed anyway`),
      );
      await instance[Symbol.asyncDispose]();
    };
    const ending = end().finally(() => retiring.delete(ending));
    retiring.add(ending);
  };

  return {
    has: (id) => running.has(id),
    get: (id) => running.get(id)?.instance,
    all: () => [...running.values()].map(({ instance }) => instance),
    async replace(id, instance) {
      const old = running.get(id);
      const others = [...running.values()].filter((other) => other !== old).map((other) => other.instance);
      const next = instance && withoutConflicts(instance, others);
      let entered: Running | undefined;
      const { handles, retired } = await registry.swap(old?.handles ?? [], next?.sources ?? [], () => {
        running.delete(id);
        if (next) running.set(id, (entered = { instance: next, handles: [], services: undefined }));
        onSwap();
      });
      if (entered) running.set(id, (entered = { ...entered, handles }));
      await old?.services?.[Symbol.asyncDispose]();
      if (old) retire(old.instance, retired);
      if (entered && servicesRun)
        entered.services = await startServices(entered.instance.services, log.child(id));
    },
    async startServices() {
      servicesRun = true;
      for (const [id, entry] of running) {
        entry.services ??= await startServices(entry.instance.services, log.child(id));
      }
    },
    stopStarting() {
      servicesRun = false;
    },
    async retired() {
      await Promise.all(retiring);
    },
  };
}
