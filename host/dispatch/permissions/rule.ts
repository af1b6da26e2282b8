import type { PermissionRule } from '../../api/agent.ts';
import type { Snapshot } from '../../api/source.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import { matchesGlob, matchesTool } from '../../core/text/glob.ts';
import { formsByServer, isNameOf } from '../../tools/names.ts';
import { meansForOthers } from './names-of-others.ts';

export interface RuleParts {
  /** An id, a bare name, a module, or a pattern with `*`. */
  readonly tool: string;
  /** Undefined: every call of the tool. */
  readonly pattern: string | undefined;
}

/** "bash(git status *)" → bash, "git status *". A pattern of `*` alone is left out, because it means every call. */
export function partsOf(text: string): RuleParts {
  const [, tool = text, pattern] = /^([^()]+)\((.*)\)$/s.exec(text.trim()) ?? [];
  return { tool, pattern: pattern === undefined || /^\s*\**\s*$/.test(pattern) ? undefined : pattern.trim() };
}

export type Find = Pick<Snapshot, 'find'>['find'];

/** A rule that allows means one tool by a bare name, the one that a call by this name runs; one that doesn't, all of them. */
export function isAbout(
  { text }: PermissionRule,
  tool: RegisteredTool,
  find: Find,
  allows: boolean,
): boolean {
  const { tool: named } = partsOf(text);
  if (!allows) return concernsTool(named, tool);
  if (named.includes('*') ? matchesGlob(named, tool.id) : named === tool.id || named === tool.source.module)
    return true;
  const found = named.includes('*') ? undefined : find(named);
  // Callers may write a server's name where its module has another one; a rule means one owner's tools.
  if (found && isNameOf(named, found) && !formsByServer(found).includes(named)) return found.id === tool.id;
  return meansForOthers(named, tool, 'allow');
}

/** Whether a rule that denies or asks, with this name, is about the tool. */
export const concernsTool = (named: string, tool: RegisteredTool): boolean =>
  matchesTool([named], tool) || meansForOthers(named, tool, 'deny');
