import type { CommandCall } from '../api/plugin.ts';
import { shownText } from '../core/foreign/shown-text.ts';
import { runCommand } from '../plugins/commands/run-command.ts';
import type { CommandHandler } from './command.ts';
import { scopeOf } from './scope.ts';
import { createAsk } from './terminal/ask.ts';
import { openSpinner } from './terminal/progress.ts';
import type { Surface } from './terminal/terminal.ts';
import { widthOf, wrap } from './terminal/width.ts';
import { warnOfPendingCode } from './tools/warn-of-pending-code.ts';

/** Opens a host and runs a command of a plugin in it. */
export const runner =
  (plugin: string, name: string): CommandHandler =>
  async (context) => {
    const { terminal, words, options, signal, command } = context;
    const host = await context.openHost({ mcp: 'on-demand' });
    warnOfPendingCode(host, terminal);
    const given = (command.options ?? []).filter((option) => options.flag(option.name));
    using waiting = openSpinner(terminal, name);
    const ask = createAsk(terminal, waiting);
    const agent = options.value('agent');
    // An unknown agent is reported here, for all commands.
    if (agent !== undefined) host.scopeFor(agent);
    const call: CommandCall = {
      words,
      options: Object.fromEntries(
        given.map((option) => [option.name, option.value === undefined ? true : options.value(option.name)!]),
      ),
      out: (line) => printWrapped(terminal.out, line),
      json: (value) => terminal.json(value),
      progress: (done, total, what) => waiting.show({ progress: done, total, message: what }),
      signal,
      terminal: {
        scope: scopeOf(host, context),
        async callTool(tool, called, scope) {
          const { callAndReport } = await import('./tools/call-tool.ts');
          return (await callAndReport(host, { name: tool.id, tool, words: called, scope }, context)).code;
        },
      },
      ...(agent !== undefined && { agent }),
      ...(ask && { ask }),
    };
    return await runCommand(host.plugins, plugin, name, call);
  };

/**
 * Plugins don't know the width of the terminal: long lines are wrapped with an indent. What they print may be foreign:
 * control characters are spelled out.
 */
function printWrapped(out: Surface, text: string): void {
  for (const line of shownText(text).split('\n')) {
    const [first = '', ...others] = widthOf(line) > out.width ? wrap(line, out.proseWidth - 2) : [line];
    out.line(first);
    for (const other of others) out.line(`  ${other}`);
  }
}
