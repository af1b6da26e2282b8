import { pegboard } from '../../../core/own-command.ts';
import type { ToolResult } from '../../../api/result.ts';
import type { RegisteredTool } from '../../../api/tool.ts';
import { toFailure } from '../../../core/errors.ts';
import type { Host } from '../../../host.ts';
import { couldMean } from '../../../plugins/on-demand.ts';
import { failedResult } from '../../../tools/result.ts';
import { misspelt, readCallArguments } from '../../tools/call-arguments.ts';
import { callTool, reportCall } from '../../tools/call-tool.ts';
import type { Context, CommandHandler } from '../../command.ts';
import { findTool } from '../../tools/find-tool.ts';
import { warnOfPendingCode } from '../../tools/warn-of-pending-code.ts';

export const run: CommandHandler = async (context) => {
  // An agent's rules may be about any tool.
  const deferPlugins = context.options.value('agent') === undefined;
  const host = await context.openHost({ deferPlugins });
  const [name = ''] = context.words;
  await setUpPlugins(host, name);
  warnOfPendingCode(host, context.terminal);
  const tool = await findTool(host, name, context);
  const startedAt = performance.now();
  const result = await call(host, name, tool, context);
  const code = reportCall(result, { tool: tool?.id ?? name, ms: performance.now() - startedAt }, context);
  const { error } = result;
  if (error?.code === 'PEG_TOOL_NOT_FOUND' && !context.options.flag('json'))
    await tellWhatWaits(host, context);
  if (tool && error?.code === 'PEG_INVALID_ARGUMENTS' && !context.options.flag('json')) {
    const hints = misspelt(context.words.slice(1), tool.parameters);
    for (const hint of hints) if (!error.message.includes(hint)) context.terminal.err.line(hint);
  }
  return code;
};

/** A command of a space runs without the deferred plugins, unless its name could mean a tool of theirs. */
async function setUpPlugins(host: Host, name: string): Promise<void> {
  const tool = host.registry.snapshot.find(name);
  if (tool?.command === undefined || couldMean(host.plugins.deferred, tool)) await host.setUpPlugins();
}

/** A missing tool may be pending approval, or may have failed to load. */
async function tellWhatWaits(host: Host, { terminal: { err } }: Context): Promise<void> {
  const errors = host.diagnostics.filter(({ severity }) => severity === 'error').length;
  if (errors > 0)
    err.line(
      `${errors} ${errors === 1 ? 'error keeps' : 'errors keep'} something from loading: ${pegboard} status`,
    );
  const { pendingIn } = await import('../../../approvals/pending-in-host.ts');
  const { length } = pendingIn(host).flatMap(({ what }) => what);
  if (length > 0)
    err.line(
      `${length} ${length === 1 ? 'item is' : 'items are'} waiting for your approval: ${pegboard} approvals`,
    );
}

/** Arguments that can't be parsed are a failed call like any other, so that --json keeps its shape. */
async function call(
  host: Host,
  name: string,
  tool: RegisteredTool | undefined,
  context: Context,
): Promise<ToolResult> {
  let args: unknown;
  try {
    args = await readCallArguments(context.words.slice(1), tool?.parameters ?? {}, context);
  } catch (cause) {
    if (tool) return failedResult(toFailure('validate', cause));
  }
  const confirm = context.options.flag('yes') ? 'never' : undefined;
  return callTool(host, { name, tool, args, ...(confirm && { confirm }) }, context);
}
