import type { Approvals } from '../dispatch/confirm.ts';
import type { Approval, StateStore } from './state.ts';

export interface StoredApprovals extends Approvals {
  list(): readonly Approval[];
  /** Forgets every approval of the tool; returns how many there were. */
  revoke(toolId: string): Promise<number>;
}

export function createApprovals(state: StateStore): StoredApprovals {
  const others = (tool: string): readonly Approval[] =>
    state.data.approvals.filter((approval) => approval.tool !== tool);
  return {
    list: () => state.data.approvals,
    isApproved: (tool, fingerprint) =>
      state.data.approvals.some((approval) => approval.tool === tool && approval.fingerprint === fingerprint),
    approve: (tool, fingerprint) =>
      state.update(({ approvals, ...rest }) => ({
        ...rest,
        approvals: [
          ...approvals.filter((approval) => approval.tool !== tool),
          { tool, fingerprint, at: new Date().toISOString() },
        ],
      })),
    async revoke(tool) {
      const count = state.data.approvals.length - others(tool).length;
      if (count > 0) {
        await state.update(({ approvals, ...rest }) => ({
          ...rest,
          approvals: approvals.filter((a) => a.tool !== tool),
        }));
      }
      return count;
    },
  };
}
