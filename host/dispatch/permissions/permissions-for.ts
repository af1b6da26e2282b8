import type { PermissionRules } from '../../api/agent.ts';
import type { Scope } from '../../api/source.ts';
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
export function permissionsFor(scope: Scope, home: HomePermissions = none): readonly ApplicableRules[] {
  const above = (scope.within ?? []).filter(({ agent }) => agent !== scope.agent);
  return [
    { rules: home },
    ...ofAgent(scope, home).map((rules) => ({ rules })),
    ...above.flatMap((one) => ofAgent(one, home)).map((rules) => ({ rules, onlyRestrict: true })),
  ];
}

function ofAgent(
  { agent, permissions }: Pick<Scope, 'agent' | 'permissions'>,
  { agents }: HomePermissions,
): readonly PermissionRules[] {
  const given = agent === undefined ? undefined : agents.get(agent);
  return [given, permissions].filter((rules) => rules !== undefined);
}
