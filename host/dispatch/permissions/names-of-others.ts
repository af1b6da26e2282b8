import type { RegisteredTool } from '../../api/tool.ts';
import { serverOf } from '../../tools/names.ts';
import { matchesGlob } from '../../core/text/glob.ts';

/** What a rule does: one that allows is read narrowly, one that denies or asks widely. */
export type RuleUse = 'allow' | 'deny';

const onFiles = ({ permission }: RegisteredTool): boolean => permission?.kind === 'path';
const reads = ({ annotations }: RegisteredTool): boolean => annotations?.readOnlyHint === true;
const named =
  (...names: readonly string[]) =>
  ({ name }: RegisteredTool): boolean =>
    names.some((one) => name.toLowerCase().replace(/^ws/, '') === one);

const readsFiles = (tool: RegisteredTool): boolean => onFiles(tool) && reads(tool);
const writesFiles = (tool: RegisteredTool, use: RuleUse): boolean =>
  onFiles(tool) && !reads(tool) && (use === 'deny' || named('write', 'edit')(tool));

/**
 * Claude Code's names, by the tools here that do the same. As there, `Read` is about everything that reads files, and
 * `Edit` about everything that writes them.
 */
const claudeCode: { readonly [name: string]: (tool: RegisteredTool, use: RuleUse) => boolean } = {
  Bash: ({ permission }) => permission?.kind === 'command',
  Read: readsFiles,
  NotebookRead: readsFiles,
  Grep: named('grep'),
  Glob: named('glob', 'listdir'),
  LS: named('glob', 'listdir'),
  Edit: writesFiles,
  MultiEdit: writesFiles,
  Write: writesFiles,
  NotebookEdit: writesFiles,
  WebFetch: (tool) => tool.permission?.kind === 'url' && reads(tool),
  WebSearch: named('web_search'),
  Task: named('agent', 'call_app'),
  Agent: named('agent', 'call_app'),
  Skill: named('use_skill'),
  AskUserQuestion: named('ask_user'),
};

/** "mcp__github__create_issue", "mcp__github", "mcp__github__*", and `mcp__pegboard__…` of what Pegboard itself serves. */
function meansServerTool(text: string, { source, name, wireName }: RegisteredTool): boolean {
  const own = /^pegboard(?:__(.*))?$/s.exec(text);
  if (own) return own[1] === undefined || matchesGlob(own[1], wireName);
  if (source.kind !== 'mcp') return false;
  const server = plain(serverOf(source));
  return text === server || matchesGlob(text, `${server}__${plain(name)}`) || matchesGlob(text, wireName);
}

/** As clients write names of servers and tools. */
export const plain = (name: string): string => name.replaceAll(/[^\w-]/g, '_');

/** What follows `mcp__`. Undefined for a name that is no MCP client's. */
export const afterMcp = (name: string): string | undefined => /^mcp__(.+)$/s.exec(name)?.[1];

/** Whether a rule's name, as Claude Code writes it, means the tool. */
export function meansForOthers(name: string, tool: RegisteredTool, use: RuleUse): boolean {
  const server = afterMcp(name);
  if (server !== undefined) return meansServerTool(server, tool);
  if (tool.source.kind !== 'builtin' || !Object.hasOwn(claudeCode, name)) return false;
  return claudeCode[name]!(tool, use);
}
