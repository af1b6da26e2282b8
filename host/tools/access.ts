import type { ModuleBlock } from '../api/agent.ts';
import type { Scope, Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { matchesGlob, matchesTool } from '../core/glob.ts';
import { isMeta } from './meta.ts';

/** May this caller see and run the tool? Those of a channel only in its turns; else the host itself always; a meta-tool only leads to what else is allowed. */
export function isVisible(tool: RegisteredTool, { identity, access, channel, modules }: Scope): boolean {
  if (tool.source.channel !== undefined && tool.source.channel !== channel) return false;
  if (identity === 'host') return true;
  if (access.blocked && matchesTool(access.blocked, tool)) return false;
  if (isMeta(tool)) return true;
  if (modules && !isReader(tool) && !admits(modules.get(tool.source.module), tool)) return false;
  return access.allowed === undefined || matchesTool(access.allowed, tool);
}

/** By the source's module and not by the id's letters, which a foreign tool's name may imitate. */
function admits(block: ModuleBlock | undefined, { name }: RegisteredTool): boolean {
  if (!block) return false;
  const { allowed_actions: allowed, blocked_actions: blocked = [] } = block.constraints;
  const isNamed = (patterns: readonly string[]): boolean =>
    patterns.some((pattern) => matchesGlob(pattern, name));
  return !isNamed(blocked) && (allowed === undefined || isNamed(allowed));
}

/** Pages through results that were cut: whoever got one may read on. */
function isReader({ name, source }: RegisteredTool): boolean {
  return name === 'read_artifact' && source.kind === 'builtin';
}

export function visible(snapshot: Snapshot, scope: Scope): readonly RegisteredTool[] {
  return [...snapshot.tools.values()].filter((tool) => isVisible(tool, scope));
}

export const hostScope: Scope = { identity: 'host', access: {} };
