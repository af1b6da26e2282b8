import type { ModuleBlock, ModuleConstraints } from '../api/agent.ts';
import type { Limits, Scope } from '../api/source.ts';
import { toJson } from '../core/documents/written-numbers.ts';
import { PegboardError } from '../core/errors.ts';

/** The limits of everything that is started under this scope: its own rights, and all that limits them. */
export function limitsOf(scope: Scope): readonly Limits[] {
  const { identity, agent, access, within = [], modules, permissions, allowUntrusted } = scope;
  if (identity === 'host') return within;
  const own: Limits = {
    ...access,
    ...(agent !== undefined && { agent }),
    ...(modules && { modules: constraintsOf(modules) }),
    ...(permissions && { permissions }),
    ...(allowUntrusted && { allowUntrusted }),
  };
  return Object.keys(own).length === 0 ? within : [...within, own];
}

const constraintsOf = (modules: ReadonlyMap<string, ModuleBlock>): NonNullable<Limits['modules']> =>
  Object.fromEntries([...modules].map(([module, { constraints }]) => [module, constraints]));

/** The agents that a call is made for: the acting one, and those that handed work to it. Their hooks and rules apply. */
export const agentsOf = ({ agent, within = [] }: Scope): readonly string[] => [
  ...new Set([agent, ...within.map((one) => one.agent)].filter((id) => id !== undefined)),
];

/** Whether some tools are out of reach because of others. Such a caller must not learn what exists beyond its limits. */
export const isConfined = ({ within = [] }: Scope): boolean =>
  within.some(({ allowed, blocked = [], modules }) => allowed || modules || blocked.length > 0);

/**
 * The acting agent's settings for a module, with the constraints of all agents that handed work to it. Throws PEG_DENIED
 * where they contradict each other, since only the module knows which of two values is the narrower one.
 */
export function moduleFor({ agent, modules, within = [] }: Scope, module: string): ModuleBlock | undefined {
  const own = modules?.get(module);
  const merged: { [name: string]: unknown } = { ...own?.constraints };
  for (const limits of within) {
    for (const [name, value] of Object.entries(constraintsIn(limits, module))) {
      if (name === 'allowed_actions' || name === 'blocked_actions') continue;
      if (Object.hasOwn(merged, name) && toJson(merged[name]) !== toJson(value))
        throw new PegboardError(
          'PEG_DENIED',
          `${limits.agent ?? 'The caller'} has ${module} with ${name}: ${toJson(value)}, and ${agent ?? 'this agent'} with ${name}: ${toJson(merged[name])}: handed over, neither holds. Do it without ${module}.`,
        );
      merged[name] = value;
    }
  }
  if (own) return { ...own, constraints: merged };
  if (Object.keys(merged).length === 0) return undefined;
  return { config: {}, setup: [], constraints: merged, middleware: [], credential: undefined };
}

function constraintsIn({ modules }: Limits, module: string): ModuleConstraints {
  return modules && Object.hasOwn(modules, module) ? modules[module]! : {};
}
