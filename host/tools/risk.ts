import type { RegisteredTool } from '../api/tool.ts';

/** `low` only reads, `medium` changes something, `high` may destroy or asks first. */
export type Risk = 'low' | 'medium' | 'high';

type Judged = Pick<RegisteredTool, 'annotations' | 'confirm' | 'source'>;

/**
 * Information for models and clients; confirmations don't depend on it. An MCP tool without hints counts as destructive,
 * as in the MCP specification; a destructive tool of ours sets `confirm`.
 */
export function riskOf({ annotations = {}, confirm, source }: Judged): Risk {
  const { readOnlyHint, destructiveHint } = annotations;
  if (confirm) return 'high';
  if (readOnlyHint) return 'low';
  return (destructiveHint ?? source.kind === 'mcp') ? 'high' : 'medium';
}
