import type { Scope, Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { matchesTool } from '../core/glob.ts';

/** May this caller see and run the tool? The host itself may always. */
export function isVisible(tool: RegisteredTool, { identity, access }: Scope): boolean {
  if (identity === 'host') return true;
  if (access.blocked && matchesTool(access.blocked, tool)) return false;
  return access.allowed === undefined || matchesTool(access.allowed, tool);
}

export function visible(snapshot: Snapshot, scope: Scope): readonly RegisteredTool[] {
  return [...snapshot.tools.values()].filter((tool) => isVisible(tool, scope));
}

export const hostScope: Scope = { identity: 'host', access: {} };
