import type { StateStore } from '../store/files/state.ts';
import type { Approved, ApprovedStore } from '../store/owner/user-state.ts';
import type { PluginSet } from './plugin-set.ts';

export interface ReloadRequests {
  /** Requests a reload in every running host of this home, including this one. */
  ask(plugin: string): Promise<void>;
  /** Reloads plugins with a new reload request or changed trust, from this process or another. */
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
