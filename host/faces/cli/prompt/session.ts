import type { CallRequest } from '../../../api/dispatch.ts';
import type { JsonObject } from '../../../api/result.ts';
import type { RegisteredTool } from '../../../api/tool.ts';
import type { Host } from '../../../host.ts';
import { reportCall, callTool } from '../call-tool.ts';
import type { Context } from '../command.ts';
import { reportFailure } from '../report-failure.ts';
import { fillIn } from '../terminal/form.ts';
import { toArguments } from '../values.ts';
import { classify } from './classify.ts';
import { chooseTool } from './choose-tool.ts';
import { showPromptHelp } from './prompt-help.ts';

/** Runs lines, one after the other, on one host. */
export interface Session {
  /** The exit code that the line would have as a command of its own; undefined ends the session. Never rejects. */
  run(line: string): Promise<number | undefined>;
}

export function createSession(host: Host, context: Context): Session {
  const { terminal, home } = context;
  const shared: Context = { ...context, openHost: async () => host };

  const runLine = async (line: string): Promise<number | undefined> => {
    const meant = classify(line, host.registry.snapshot);
    switch (meant.kind) {
      case 'empty':
        return 0;
      case 'quit':
        return undefined;
      case 'help':
        showPromptHelp(terminal.out);
        return 0;
      case 'command':
        return runCommand(meant);
      case 'tool':
        return runTool(meant.tool, toArguments(meant.words, meant.tool.parameters));
      case 'request': {
        const tool = await chooseTool(meant.text, host, shared);
        if (!tool || typeof tool === 'number') return tool ?? 0;
        // Nobody named this tool: its exact effect is shown before it runs, unless the config says never to ask.
        const confirm = host.config.confirm === 'never' ? undefined : 'always';
        return runTool(tool, {}, confirm);
      }
    }
  };

  const runCommand = async ({
    command,
    parsed,
  }: Extract<ReturnType<typeof classify>, { kind: 'command' }>): Promise<number> => {
    const own: Context = { ...shared, ...parsed, command };
    const [name, ...words] = parsed.words;
    const tool =
      command.name === 'call' && !parsed.options.flag('args')
        ? host.registry.snapshot.find(name!)
        : undefined;
    if (tool && terminal.interactive && !parsed.options.flag('json')) {
      const confirm = parsed.options.flag('yes') ? 'never' : undefined;
      return runTool(tool, toArguments(words, tool.parameters), confirm);
    }
    const { run } = await command.load();
    return (await run(own)) ?? 0;
  };

  /** Asks for what is missing, where somebody is there. */
  const runTool = async (
    tool: RegisteredTool,
    given: JsonObject,
    confirm: CallRequest['confirm'] = context.options.flag('yes') ? 'never' : undefined,
  ): Promise<number> => {
    const args = await askForMissing(tool, given);
    if (!args) {
      terminal.err.line('Not run.');
      return 3;
    }
    const startedAt = performance.now();
    const result = await callTool(host, { name: tool.id, tool, args, ...(confirm && { confirm }) }, shared);
    return reportCall(result, { tool: tool.id, ms: performance.now() - startedAt }, { ...shared });
  };

  const askForMissing = async (tool: RegisteredTool, given: JsonObject): Promise<JsonObject | undefined> => {
    if (!terminal.interactive) return given;
    using scope = context.openScope();
    return fillIn(tool.parameters, given, { output: terminal.err.stream, signal: scope.signal });
  };

  return {
    async run(line) {
      try {
        return await runLine(line);
      } catch (cause) {
        return reportFailure(cause, { args: [line], terminal, home });
      }
    },
  };
}
