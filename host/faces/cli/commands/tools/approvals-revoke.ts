import { PegboardError } from '../../../../core/errors.ts';
import { nearest } from '../../../../core/documents/nearest.ts';
import type { Run } from '../../command.ts';
import { usageError } from '../../parse.ts';

export const run: Run = async (context) => {
  const { terminal, options, words, command } = context;
  if (words.length === 0 && !options.flag('all'))
    throw usageError(command, 'Which tool? Name it, or say --all.');
  const host = await context.openHost({ mcp: 'off' });
  const approved = host.approvals.list().map(({ tool }) => tool);
  const tools = options.flag('all') ? approved : words.map((word) => approvedTool(word, approved));
  for (const tool of tools) {
    await host.approvals.revoke(tool);
    terminal.out.line(`${tool} asks again.`);
  }
  if (tools.length === 0) terminal.err.line('No tool has a stored approval.');
};

/** By id or by bare name: the tool itself may be gone. */
function approvedTool(word: string, approved: readonly string[]): string {
  const found = approved.find((id) => id === word) ?? approved.find((id) => id.endsWith(`.${word}`));
  if (found !== undefined) return found;
  const [near] = nearest(word, approved);
  throw new PegboardError(
    'PEG_TOOL_NOT_FOUND',
    `"${word}" has no stored approval.${near === undefined ? '' : ` Did you mean ${near}?`}`,
  );
}
