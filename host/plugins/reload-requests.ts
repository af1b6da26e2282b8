import type { StateStore } from '../store/files/state.ts';
import type { Approved, ApprovedStore } from '../store/owner/user-state.ts';
import type { PluginSet } from './plugin-set.ts';

export interface ReloadRequests {
  /** In every running host of this home, this one included. */
  ask(plugin: string): Promise<void>;
  /** Loads plugins anew that were trusted or distrusted since, here or elsewhere, or that somebody wants anew. */
  take(): Promise<void>;
}

export function createReloadRequests(
  state: StateStore,
  approved: ApprovedStore,
  plugins: PluginSet,
): ReloadRequests {
  let before = { ...state.data, ...approved.data };
  const take = async (): Promise<void> => {
    state.reload();
    approved.reload();
    const now = { ...state.data, ...approved.data };
    const concerned = plugins.states
      .map(({ manifest }) => manifest.id)
      .filter((id) => now.reloads[id] !== before.reloads[id] || trustOf(now, id) !== trustOf(before, id));
    before = now;
    await Promise.all(concerned.map((id) => plugins.reload(id)));
  };
  return {
    take,
    async ask(plugin) {
      await state.update((now) => ({
        ...now,
        reloads: { ...now.reloads, [plugin]: new Date().toISOString() },
      }));
      await take();
    },
  };
}

const trustOf = ({ trusted }: Pick<Approved, 'trusted'>, id: string): string | undefined =>
  trusted.find((entry) => entry.id === id)?.hash;
