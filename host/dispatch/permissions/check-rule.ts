import type { PermissionRules } from '../../api/agent.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { whyAllowsNothing } from './command/command-pattern.ts';
import { whyMeaningless } from './match-subject.ts';
import { partsOf } from './rule.ts';

/**
 * Why a rule does not do what it seems to for any of the tools that it names: "allows nothing: …". Undefined for one that
 * does, and for one that names no tool.
 */
export function problemOf(
  text: string,
  list: keyof PermissionRules,
  tools: readonly RegisteredTool[],
): string | undefined {
  const { pattern } = partsOf(text);
  if (pattern === undefined) return undefined;
  const problems = tools.map((tool) => problemWith(pattern, list, tool));
  return problems.every((problem) => problem !== undefined) ? problems[0] : undefined;
}

function problemWith(pattern: string, list: keyof PermissionRules, tool: RegisteredTool): string | undefined {
  const allows = list === 'allow';
  const why =
    whyMeaningless(pattern, tool) ??
    (allows && tool.permission?.kind === 'command' ? whyAllowsNothing(pattern) : undefined);
  if (why === undefined) return undefined;
  return `${allows ? 'allows nothing' : `concerns every call of ${tool.name}`}: ${why}`;
}
