import type { Approvals } from '../../dispatch/confirm.ts';
import type { ToolApproval, ApprovedStore } from './user-state.ts';

export interface StoredApprovals extends Approvals {
  list(): readonly ToolApproval[];
  /** Deletes all approvals of the tool; returns how many there were. */
  revoke(toolId: string): Promise<number>;
}

export function createApprovals(state: ApprovedStore): StoredApprovals {
  /**
   * Reads the file again, since another process may have approved or revoked something. Reading it is cheap for a call
   * that needs an approval.
   */
  const list = (): readonly ToolApproval[] => {
    state.reload();
    return state.data.approvals;
  };
  return {
    list,
    isApproved: (tool, fingerprint) =>
      list().some((approval) => approval.tool === tool && approval.fingerprint === fingerprint),
    approve: (tool, fingerprint) =>
      state.update(({ approvals, ...rest }) => ({
        ...rest,
        approvals: [...without(approvals, tool), { tool, fingerprint, at: new Date().toISOString() }],
      })),
    async revoke(tool) {
      let count = 0;
      await state.update(({ approvals, ...rest }) => {
        const kept = without(approvals, tool);
        count = approvals.length - kept.length;
        return { ...rest, approvals: kept };
      });
      return count;
    },
  };
}

const without = (approvals: readonly ToolApproval[], tool: string): readonly ToolApproval[] =>
  approvals.filter((approval) => approval.tool !== tool);
