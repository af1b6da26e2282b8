import type { PermissionRules } from '../../api/agent.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { whyAllowsNothing, whyConcernsNothing } from './command/command-pattern.ts';
import { whyMeaningless } from './match-subject.ts';
import { partsOf } from './rule.ts';

/** What is wrong with a rule. */
export interface RuleProblem {
  readonly code: 'useless-rule' | 'concerns-every-call';
  /** Follows the rule's text: "allows nothing: …" */
  readonly text: string;
}

/** Undefined for a rule that does what it seems to for any of the tools that it names, and for one that names no tool. */
export function problemOf(
  text: string,
  list: keyof PermissionRules,
  tools: readonly RegisteredTool[],
): RuleProblem | undefined {
  const { pattern } = partsOf(text);
  if (pattern === undefined) return undefined;
  const problems = tools.map((tool) => problemWith(pattern, list, tool));
  return problems.every((problem) => problem !== undefined) ? problems[0] : undefined;
}

const failsTo = { allow: 'allows nothing', ask: 'asks about nothing', deny: 'refuses nothing' } as const;

function problemWith(
  pattern: string,
  list: keyof PermissionRules,
  tool: RegisteredTool,
): RuleProblem | undefined {
  const allows = list === 'allow';
  const useless = (why: string): RuleProblem => ({ code: 'useless-rule', text: `${failsTo[list]}: ${why}` });
  const why = whyMeaningless(pattern, tool);
  if (why !== undefined)
    return allows
      ? useless(why)
      : { code: 'concerns-every-call', text: `concerns every call of ${tool.name}: ${why}` };
  if (tool.permission?.kind !== 'command') return undefined;
  const nothing = allows ? whyAllowsNothing(pattern) : whyConcernsNothing(pattern);
  return nothing === undefined ? undefined : useless(nothing);
}
