import type { ToolCall } from '../api/tool.ts';

/** Where a question of a call came up, as other places are told: "schedule/3", "mcp:cursor". */
export const askerOf = ({ caller, turn }: Pick<ToolCall, 'caller' | 'turn'>): string =>
  turn ? `${turn.conversation.source}/${turn.conversation.externalId}` : caller;

/** The place that a call comes from, as the one who answered: "the terminal". */
export function placeOf({ caller, turn }: Pick<ToolCall, 'caller' | 'turn'>): string {
  const where = turn?.conversation.source ?? caller;
  if (where === 'cli') return 'the terminal';
  return where.startsWith('mcp:') ? `the MCP client ${where.slice(4)}` : where;
}
