import type { ToolResult } from '../../api/result.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import type { Ask } from '../../api/ask.ts';
import { exitCodeOf, toFailure } from '../../core/errors.ts';
import type { ConfirmPolicy } from '../../api/dispatch.ts';
import type { Host } from '../../host.ts';
import { isVisible } from '../../tools/access.ts';
import { failedResult } from '../../tools/result.ts';
import type { Context } from '../command.ts';
import { scopeOf } from '../scope.ts';
import { createAsk } from '../terminal/ask.ts';
import { openSpinner } from '../terminal/progress.ts';
import { showResult } from '../terminal/result.ts';

export interface Call {
  /** As the user wrote it. */
  readonly name: string;
  /** The tool of that name, or undefined. */
  readonly tool: RegisteredTool | undefined;
  readonly args: unknown;
  readonly confirm?: ConfirmPolicy;
}

/** Dispatches one call with progress and questions on stderr; for an agent, once its modules are set up. */
export async function callTool(
  host: Host,
  { name, tool, args, confirm }: Call,
  context: Context,
): Promise<ToolResult> {
  using waiting = openSpinner(context.terminal, `Running ${tool?.id ?? name}`);
  const ask = createAsk(context.terminal, waiting);
  const scope = scopeOf(host, context);
  try {
    // A tool that the agent may not use is refused without any steps.
    if (tool && isVisible(tool, scope)) await setUpAgent(host, context, ask);
  } catch (cause) {
    return failedResult(toFailure('prepare', cause));
  }
  return await host.dispatch({
    name: tool?.id ?? name,
    args,
    scope,
    caller: 'cli',
    signal: context.signal,
    onProgress: (progress) => waiting.show(progress),
    ...(ask && { ask }),
    ...(confirm && { confirm }),
  });
}

async function setUpAgent(host: Host, { options, signal }: Context, ask: Ask | undefined): Promise<void> {
  const agent = options.value('agent');
  if (agent !== undefined)
    await host.spaces.setUp(host.spaces.agentFor(agent), { signal, ...(ask && { ask }) });
}

/** Shows the result of a call, with --json in the documented shape; returns the exit code. `ms` is how long it took. */
export function reportCall(
  result: ToolResult,
  { tool, ms }: { readonly tool: string; readonly ms: number },
  { options, terminal }: Context,
): number {
  const { content, structured, error } = result;
  if (options.flag('json')) {
    terminal.json({
      tool,
      ok: error === undefined,
      content,
      ...(structured !== undefined && { structured }),
      ...(error && { error }),
      ms: Math.round(ms * 10) / 10,
    });
  } else showResult(result, terminal);
  return error ? exitCodeOf(error.code) : 0;
}
