import type { RegisteredTool } from '../api/tool.ts';

/** `low` only reads, `medium` changes something, `high` may destroy or asks first. */
export type Risk = 'low' | 'medium' | 'high';

type Judged = Pick<RegisteredTool, 'annotations' | 'confirm' | 'source'>;

/**
 * For models and clients to be careful with; confirmations don't depend on it. A server's tool that says nothing
 * counts as destructive, as MCP has it; of our own that would have `confirm`.
 */
export function riskOf({ annotations = {}, confirm, source }: Judged): Risk {
  const { readOnlyHint, destructiveHint } = annotations;
  if (confirm) return 'high';
  if (readOnlyHint) return 'low';
  return (destructiveHint ?? source.kind === 'mcp') ? 'high' : 'medium';
}
