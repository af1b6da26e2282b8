import type { ApprovedStore } from '../../store/owner/user-state.ts';

/** Returns a function that applies approvals from other processes; `changed` receives the names of the spaces. */
export function approvedElsewhere(
  state: ApprovedStore,
  changed: (spaces: readonly string[]) => Promise<void>,
): () => Promise<void> {
  let before = state.data.spaces;
  return async () => {
    state.reload();
    const now = state.data.spaces;
    const concerned = Object.keys({ ...before, ...now }).filter((name) => now[name]?.at !== before[name]?.at);
    before = now;
    if (concerned.length > 0) await changed(concerned);
  };
}
