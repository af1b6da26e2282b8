import type { RegisteredTool } from '../../../api/tool.ts';
import type { Host } from '../../../host.ts';
import type { ExampleOutcome } from '../../../sources/manifests/check/test-tools.ts';
import { visible } from '../../../tools/access.ts';
import type { Context, CommandHandler } from '../../command.ts';
import { getTool } from '../../tools/find-tool.ts';
import { scopeOf } from '../../scope.ts';
import { createAsk } from '../../terminal/ask.ts';
import { openSpinner } from '../../terminal/progress.ts';
import { withoutEscapes } from '../../terminal/safe.ts';
import { atWorkplace } from '../../workplace.ts';

/** Exit code 1 when an example failed. */
export const run: CommandHandler = async (context) => {
  const { terminal, options, signal } = context;
  const { testTools } = await import('../../../sources/manifests/check/test-tools.ts');
  const host = await context.openHost();
  const tools = await select(host, context);
  const waiting = openSpinner(terminal, 'Running examples');
  const ask = createAsk(terminal, waiting);
  const outcomes: ExampleOutcome[] = [];
  const request = {
    scope: scopeOf(host, context),
    caller: 'cli',
    ...atWorkplace(context),
    signal,
    ...(ask && { ask }),
    ...(options.flag('yes') && { confirm: 'never' as const }),
  };
  try {
    for await (const outcome of testTools(tools, host.dispatch, request)) outcomes.push(outcome);
  } finally {
    waiting[Symbol.dispose]();
  }
  const failed = outcomes.filter(({ ok }) => !ok).length;
  if (options.flag('json')) terminal.json({ ok: failed === 0, examples: outcomes });
  else show(outcomes, failed, context);
  return failed === 0 ? 0 : 1;
};

/** The named tools, else the home's own. Examples of built-in tools and of MCP servers are not run. */
async function select(host: Host, context: Context): Promise<readonly RegisteredTool[]> {
  if (context.words.length > 0) return Promise.all(context.words.map((name) => getTool(host, name, context)));
  return visible(host.registry.snapshot, scopeOf(host, context)).filter(
    ({ source }) => source.kind === 'manifest' || source.kind === 'space',
  );
}

function show(outcomes: readonly ExampleOutcome[], failed: number, { terminal }: Context): void {
  const { out, err } = terminal;
  const { style } = out;
  for (const { tool, example, ok, problem = '', ms } of outcomes) {
    out.line(
      `${ok ? style.good('✓') : style.bad('✗')} ${tool} ${style.quiet(`example ${example}, ${Math.round(ms)} ms`)}`,
    );
    if (!ok) for (const line of withoutEscapes(problem).split('\n')) out.line(`    ${line}`);
  }
  if (outcomes.length === 0) err.line('These tools have no examples.');
  else err.line(`${outcomes.length - failed} passed, ${failed} failed`);
}
