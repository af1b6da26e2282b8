import type { PermissionRules } from '../../api/agent.ts';
import type { Scope } from '../../api/source.ts';
import type { ToolCall } from '../../api/tool.ts';
import type { ApplicableRules } from './judge.ts';

/** The rules of a home: for all its callers, and for single agents. */
export interface HomePermissions extends PermissionRules {
  readonly agents: ReadonlyMap<string, PermissionRules>;
}

const none: HomePermissions = { allow: [], ask: [], deny: [], agents: new Map() };

/**
 * The home's rules and those of the acting agent. Those of agents that have delegated to it restrict it too: what they may
 * not do, they can't have done.
 */
export function permissionsFor(
  { scope, turn }: Pick<ToolCall, 'scope' | 'turn'>,
  home: HomePermissions = none,
): readonly ApplicableRules[] {
  const sets = [{ rules: home }, ...ofScope(scope, home).map((rules) => ({ rules }))];
  const above: ApplicableRules[] = [];
  for (let parent = turn?.message.parent; parent; parent = parent.turn?.message.parent) {
    if (parent.scope.agent !== scope.agent)
      above.push(...ofScope(parent.scope, home).map((rules) => ({ rules, onlyRestrict: true })));
  }
  return [...sets, ...above];
}

function ofScope({ agent, permissions }: Scope, { agents }: HomePermissions): readonly PermissionRules[] {
  const given = agent === undefined ? undefined : agents.get(agent);
  return [given, permissions].filter((rules) => rules !== undefined);
}
