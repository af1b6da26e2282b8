import type { ModuleConstraints } from '../api/agent.ts';
import type { Access, Limits, Scope, Snapshot } from '../api/source.ts';
import type { RegisteredTool } from '../api/tool.ts';
import { matchesGlob, matchesTool } from '../core/text/glob.ts';
import { isMeta } from './meta.ts';

/** Whether this caller may see and run the tool. A channel's tools are visible only in its turns. The host itself sees all others. A meta-tool reaches only what is allowed. */
export function isVisible(
  tool: RegisteredTool,
  { identity, access, within, channel, modules }: Scope,
): boolean {
  if (tool.source.channel !== undefined && tool.source.channel !== channel) return false;
  if (within && !within.every((one) => isAdmitted(tool, one) && isInModules(tool, one.modules))) return false;
  if (identity === 'host') return true;
  if (!isAdmitted(tool, access)) return false;
  return (
    !modules || isMeta(tool) || isReader(tool) || admits(modules.get(tool.source.module)?.constraints, tool)
  );
}

function isInModules(tool: RegisteredTool, modules: Limits['modules']): boolean {
  const { module } = tool.source;
  return (
    !modules ||
    isMeta(tool) ||
    isReader(tool) ||
    (Object.hasOwn(modules, module) && admits(modules[module], tool))
  );
}

function isAdmitted(tool: RegisteredTool, { allowed, blocked }: Access): boolean {
  if (blocked && matchesTool(blocked, tool)) return false;
  return allowed === undefined || isMeta(tool) || matchesTool(allowed, tool);
}

/** Whether everything of a module is admitted, including what isn't a tool, such as a server's resources. */
export function admitsModule(module: string, { access, within = [] }: Scope): boolean {
  // A name that no tool can have: only a pattern for the whole module matches it.
  const anything = { id: `${module}.\0`, name: '\0' };
  return [access, ...within].every(
    ({ allowed, blocked, modules }: Limits) =>
      !(modules && !Object.hasOwn(modules, module)) &&
      !(blocked && matchesTool(blocked, anything)) &&
      (!allowed || matchesTool(allowed, anything)),
  );
}

/** By the source's module, not by the id's text, which a foreign tool's name may imitate. */
function admits(constraints: ModuleConstraints | undefined, { name }: RegisteredTool): boolean {
  if (!constraints) return false;
  const { allowed_actions: allowed, blocked_actions: blocked = [] } = constraints;
  const isNamed = (patterns: readonly string[]): boolean =>
    patterns.some((pattern) => matchesGlob(pattern, name));
  return !isNamed(blocked) && (allowed === undefined || isNamed(allowed));
}

/** `read_artifact` pages through truncated results: every caller that got one may read on. */
function isReader({ name, source }: RegisteredTool): boolean {
  return name === 'read_artifact' && source.kind === 'builtin';
}

export function visible(snapshot: Snapshot, scope: Scope): readonly RegisteredTool[] {
  return [...snapshot.tools.values()].filter((tool) => isVisible(tool, scope));
}

export const hostScope: Scope = { identity: 'host', access: {} };

/** The tools that the owner can call: what every count of a home's tools means. */
export function callable(snapshot: Snapshot): readonly RegisteredTool[] {
  return visible(snapshot, hostScope);
}
