import type { Host } from '../../host.ts';
import type { Context } from '../command.ts';
import { pluginCommandsOf } from '../plugin-commands.ts';
import { reportFailure } from '../report-failure.ts';
import { requiredOf, toArguments } from '../values.ts';
import { chooseTool, isHarmless } from './choose-tool.ts';
import { classify, type Line } from './classify.ts';
import { showPromptHelp } from './prompt-help.ts';
import { runTool } from './run-tool.ts';

/** Runs lines, one after the other, on one host. */
export interface Session {
  /** The exit code that the line would have as a command of its own; undefined ends the session. Never rejects. */
  run(line: string): Promise<number | undefined>;
}

export function createSession(host: Host, context: Context): Session {
  const { terminal, home, options } = context;
  const confirm = options.flag('yes') ? 'never' : undefined;

  const runLine = async (line: Line, shared: Context): Promise<number | undefined> => {
    switch (line.kind) {
      case 'empty':
        return 0;
      case 'quit':
        return undefined;
      case 'help':
        showPromptHelp(terminal.out, pluginCommandsOf(host));
        return 0;
      case 'clear':
        if (terminal.interactive) terminal.err.write('\x1b[2J\x1b[3J\x1b[H');
        return 0;
      case 'command':
        return runCommand(line, shared);
      case 'tool': {
        const { tool } = line;
        return runTool(host, { tool, given: toArguments(line.words, tool.parameters), confirm }, shared);
      }
      case 'request': {
        // This tool was found, not named: its exact effect is shown before it runs, unless it changes nothing or the owner
        // said never to ask.
        const asking = confirm ?? (host.config.confirm === 'never' ? 'never' : 'always');
        const tool = await chooseTool(line.text, host, shared, { isAskedAbout: asking !== 'never' });
        if (!tool || typeof tool === 'number') return tool ?? 0;
        const how = isHarmless(tool) ? confirm : asking;
        const offerOptional = requiredOf(tool.parameters).length > 0;
        return runTool(host, { tool, given: {}, confirm: how, offerOptional }, shared);
      }
    }
  };

  const runCommand = async (
    { command, parsed }: Extract<Line, { kind: 'command' }>,
    shared: Context,
  ): Promise<number> => {
    const [name = '', ...words] = parsed.words;
    const flag = (option: string): boolean => parsed.options.flag(option);
    const asking = terminal.interactive && command.name === 'call' && !flag('args') && !flag('json');
    const tool = asking && !flag('help') ? host.registry.snapshot.find(name) : undefined;
    if (tool) {
      const given = toArguments(words, tool.parameters);
      return runTool(host, { tool, given, confirm: flag('yes') ? 'never' : confirm }, shared);
    }
    const own: Context = { ...shared, ...parsed, command };
    const { run } = flag('help') ? await import('../commands/this-home/help.ts') : await command.load();
    return (await run(flag('help') ? { ...own, words: command.name.split(' ') } : own)) ?? 0;
  };

  return {
    async run(line) {
      using scope = context.openScope();
      try {
        const shared: Context = { ...context, signal: scope.signal, openHost: async () => host };
        return await runLine(classify(line, host.registry.snapshot, pluginCommandsOf(host)), shared);
      } catch (cause) {
        return reportFailure(cause, { args: [line], terminal, home });
      }
    },
  };
}
