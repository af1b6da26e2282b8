import type { Snapshot } from '../../api/source.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import type { ApplicableRules } from './judge.ts';
import { pathMatcher } from './path-pattern.ts';
import { isAbout, partsOf } from './rule.ts';

/**
 * Whether a rule denies the file or folder at a real path to this tool, or to another one that reads files; of a tool that
 * runs commands, to any tool for files. Rules without a pattern take a tool away, and say nothing about files.
 */
export function deniedFiles(
  tool: RegisteredTool,
  snapshot: Pick<Snapshot, 'tools' | 'find'>,
  sets: readonly ApplicableRules[],
): (path: string) => boolean {
  const denying = sets.flatMap(({ rules }) => rules.deny);
  if (denying.length === 0) return () => false;
  const runsCommands = tool.permission?.kind === 'command';
  const tools = [...snapshot.tools.values()].filter(
    ({ permission, annotations }) =>
      permission?.kind === 'path' && (runsCommands || annotations?.readOnlyHint === true),
  );
  const about = runsCommands ? tools : [tool, ...tools];
  const matchers = denying.flatMap((rule) => {
    const { pattern } = partsOf(rule.text);
    const isAboutFiles = about.some((other) => isAbout(rule, other, (name) => snapshot.find(name), false));
    return pattern !== undefined && isAboutFiles ? [pathMatcher(pattern, { ...rule, use: 'deny' })] : [];
  });
  return (path) => matchers.some((matches) => matches(path));
}
