import type { ToolResult } from '../../api/result.ts';
import type { Scope } from '../../api/source.ts';
import type { RegisteredTool } from '../../api/tool.ts';
import type { Ask } from '../../api/ask.ts';
import { exitCodeOf, PegboardError, toFailure } from '../../core/errors.ts';
import type { ConfirmPolicy } from '../../api/dispatch.ts';
import type { Host } from '../../host.ts';
import { isVisible } from '../../tools/access.ts';
import { failedResult } from '../../tools/result.ts';
import type { Context } from '../command.ts';
import { scopeOf } from '../scope.ts';
import { misspelt, readCallArguments } from './call-arguments.ts';
import { atWorkplace } from '../workplace.ts';
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
  /** Default: the scope of the command. */
  readonly scope?: Scope;
}

/**
 * Runs the tool with the arguments of these words and of --args, and reports it; returns the exit code, and the result.
 * Arguments that can't be parsed are a failed call like any other, so that --json keeps its shape.
 */
export async function callAndReport(
  host: Host,
  { name, tool, words, scope }: Omit<Call, 'args' | 'confirm'> & { readonly words: readonly string[] },
  context: Context,
): Promise<{ readonly code: number; readonly result: ToolResult }> {
  const { options, terminal } = context;
  const startedAt = performance.now();
  const confirm = options.flag('yes') ? 'never' : undefined;
  const args = await readCallArguments(words, tool?.parameters ?? {}, context).catch((cause: unknown) =>
    cause instanceof PegboardError ? cause : Promise.reject(cause as Error),
  );
  const call: Call = { name, tool, args, ...(confirm && { confirm }), ...(scope && { scope }) };
  const result =
    tool && args instanceof PegboardError
      ? failedResult(toFailure('validate', args))
      : await callTool(host, call, context);
  const code = await reportCall(
    result,
    { tool: tool?.id ?? name, ms: performance.now() - startedAt },
    context,
  );
  const { error } = result;
  if (tool && error?.code === 'PEG_INVALID_ARGUMENTS' && !options.flag('json')) {
    const hints = misspelt(words, tool.parameters);
    for (const hint of hints) if (!error.message.includes(hint)) terminal.err.line(hint);
  }
  return { code, result };
}

/** Dispatches one call with progress and questions on stderr; for an agent, once its modules are set up. */
export async function callTool(
  host: Host,
  { name, tool, args, confirm, scope: given }: Call,
  context: Context,
): Promise<ToolResult> {
  using waiting = openSpinner(context.terminal, `Running ${tool?.id ?? name}`);
  const ask = createAsk(context.terminal, waiting);
  const scope = given ?? scopeOf(host, context);
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
    ...atWorkplace(context),
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
export async function reportCall(
  result: ToolResult,
  { tool, ms }: { readonly tool: string; readonly ms: number },
  { options, terminal, home }: Context,
): Promise<number> {
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
  } else await showResult(result, terminal, home);
  return error ? exitCodeOf(error.code) : 0;
}
