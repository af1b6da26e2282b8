import { pegboard } from '../../../core/own-command.ts';
import type { Host } from '../../../host.ts';
import { couldMean } from '../../../plugins/on-demand.ts';
import type { CommandHandler, Context } from '../../command.ts';
import { callAndReport } from '../../tools/call-tool.ts';
import { findTool } from '../../tools/find-tool.ts';
import { warnOfPendingCode } from '../../tools/warn-of-pending-code.ts';

export const run: CommandHandler = async (context) => {
  // An agent's rules may be about any tool.
  const setUp = context.options.value('agent') === undefined ? 'needed' : 'all';
  const host = await context.openHost({ setUp });
  const [name = ''] = context.words;
  await setUpPlugins(host, name);
  warnOfPendingCode(host, context.terminal);
  const tool = await findTool(host, name, context);
  const words = context.words.slice(1);
  const { code, result } = await callAndReport(host, { name, tool, words }, context);
  if (result.error?.code === 'PEG_TOOL_NOT_FOUND' && !context.options.flag('json'))
    await tellWhatWaits(host, context);
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
