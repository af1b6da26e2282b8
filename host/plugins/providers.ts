import type { Provided } from '../api/services/token.ts';
import { PegboardError } from '../core/errors.ts';
import { pegboard } from '../core/own-command.ts';
import { asSentence } from '../core/text/as-sentence.ts';
import type { Others } from './context.ts';
import type { PluginInstance } from './instance.ts';
import type { PluginCatalog } from './loading/catalog.ts';
import type { PluginManifest } from './loading/manifest.ts';
import type { PluginState } from './plugin-state.ts';
import type { RunningPlugins } from './running-plugins.ts';

interface Plugins {
  readonly catalog: Pick<PluginCatalog, 'manifests'>;
  readonly running: Pick<RunningPlugins, 'get' | 'borrow'>;
  readonly stateOf: (manifest: PluginManifest) => PluginState;
  /** Sets up a plugin that waits to be needed. */
  readonly activate: (id: string) => Promise<void>;
  readonly inOrder: () => readonly PluginInstance[];
  /** Called when plugins are swapped. */
  readonly listeners: Set<() => void>;
  /** What the host itself provides. */
  readonly own: readonly Provided[];
}

export interface Providers extends Others {
  /** Called synchronously in the step in which tools, hooks and the rest are swapped. */
  onChange(listener: () => void): Disposable;
}

/** How plugins meet: the host itself or the first enabled one that declares a name provides it, and a point has what all of them add. */
export function createProviders({
  catalog,
  running,
  stateOf,
  activate,
  inOrder,
  listeners,
  own,
}: Plugins): Providers {
  const onChange = (listener: () => void): Disposable => {
    listeners.add(listener);
    return { [Symbol.dispose]: () => void listeners.delete(listener) };
  };
  return {
    onChange,
    use:
      ({ name, what }, { setup, fallback } = {}) =>
      async (work) => {
        const hosts = own.find((one) => one.name === name);
        if (hosts) return await work(hosts.value as never);
        const declaring = catalog.manifests.filter(({ provides }) => provides.includes(name));
        const plugin = declaring.find((one) => stateOf(one).state !== 'disabled');
        const user = catalog.manifests.find(({ id }) => id === setup);
        // Plugins that use each other in their setup would wait for each other.
        const isOutOfOrder = plugin && user && user.requires.plugins?.includes(plugin.id) !== true;
        if (plugin && !isOutOfOrder && !running.get(plugin.id)) await activate(plugin.id);
        const instance = plugin && !isOutOfOrder ? running.get(plugin.id) : undefined;
        const found = instance?.provides.find((one) => one.name === name);
        if (found) return await running.borrow(instance!, () => work(found.value as never));
        if (fallback !== undefined) return await work(fallback);
        const why = isOutOfOrder
          ? ` while ${setup} is set up: its plugin.yaml has to name ${plugin.id} under requires: plugins:.`
          : whyNot(declaring, plugin && stateOf(plugin));
        throw new PegboardError('PEG_CONFIG', `Nothing here provides ${what}${why}`);
      },
    all: ({ name }) => ({
      async list() {
        for (const { id, points } of catalog.manifests) if (points.includes(name)) await activate(id);
        return inOrder()
          .flatMap(({ points }) => points)
          .filter(({ point }) => point === name)
          .map(({ value }) => value as never);
      },
      onChange,
    }),
  };
}

/** Ends the sentence that nothing provides something. */
function whyNot(declaring: readonly PluginManifest[], state: PluginState | undefined): string {
  const [off] = declaring;
  if (!off) return ', and no plugin of this home does.';
  if (!state) return `: \`${pegboard} plugins enable ${off.id}\` turns it on.`;
  const { id } = state.manifest;
  if (state.state === 'running') return `: the plugin ${id} declares it and doesn't bring it.`;
  return state.problem === undefined
    ? `: the plugin ${id} is still being set up.`
    : `: ${asSentence(state.problem)}`;
}
