import { plural } from '../../../core/text/plural.ts';
import type { Injection } from '../../../api/injection.ts';
import type { WireTool } from '../../../api/model.ts';
import { oneLine as firstLine } from '../../../tools/injection/compact.ts';
import { tokensIn, tokensOf } from '../../../tools/injection/wire.ts';
import type { Context, CommandHandler } from '../../command.ts';
import { modeOption } from '../../tools/mode-option.ts';
import { usageError } from '../../parse.ts';
import { oneLine, withoutEscapes } from '../../terminal/safe.ts';
import { renderTable } from '../../terminal/table.ts';
import type { Surface } from '../../terminal/terminal.ts';
import { wrap } from '../../terminal/width.ts';
import { listServers } from '../../servers/wait-for-servers.ts';
import { withCommas } from '../../../core/text/with-commas.ts';

export const run: CommandHandler = async (context) => {
  const { options, terminal } = context;
  const contextWindow = windowOption(context);
  const mode = modeOption(context);
  const query = options.value('query');
  const host = await context.openHost();
  await listServers(host, context);
  const injection = await host.injectionFor(options.value('agent'), {
    ...(contextWindow !== undefined && { contextWindow }),
    ...(mode && { mode }),
    ...(query !== undefined && { query }),
  });
  if (options.flag('json')) terminal.json(injection);
  else show(terminal.out, injection);
};

function windowOption({ options, command }: Context): number | undefined {
  const given = options.value('context-window');
  if (given === undefined) return undefined;
  const tokens = Number(given);
  if (!Number.isSafeInteger(tokens) || tokens < 1)
    throw usageError(command, `--context-window takes a number of tokens above 0, not "${given}".`);
  return tokens;
}

function show(out: Surface, injection: Injection): void {
  const { mode, reason, tools, prompt } = injection;
  const { style } = out;
  out.line(`${style.title(mode)}  ${reason}`);
  out.line();
  showArithmetic(out, injection);
  out.line();
  showTools(out, tools);
  out.line(style.quiet('system prompt'));
  for (const line of wrap(withoutEscapes(prompt), out.proseWidth)) out.line(line);
}

function showArithmetic(out: Surface, injection: Injection): void {
  const { contextWindow, budget, toolTokens, compactTokens, tools, prompt } = injection;
  const sent = tools.reduce((sum, tool) => sum + tokensOf(tool), 0);
  const promptTokens = tokensIn(prompt);
  const rows: [string, number, string][] = [
    ['context window', contextWindow, 'tokens'],
    ['budget', budget, 'a fifth of it'],
    ['all schemas', toolTokens, 'characters ÷ 4'],
    ['all names with a line', compactTokens, '30 each'],
    [
      'sent',
      sent + promptTokens,
      `${withCommas(sent)} for ${plural(tools.length, 'tool')}, the rest for the prompt`,
    ],
  ];
  const { style } = out;
  const columns = [
    { title: '', paint: style.quiet },
    { title: '', alignRight: true },
    { title: '', shrinks: true, paint: style.quiet },
  ];
  const cells = rows.map(([label, value, note]) => [label, withCommas(Math.floor(value)), note]);
  for (const line of renderTable(out, columns, cells)) out.line(line);
}

function showTools(out: Surface, tools: readonly WireTool[]): void {
  if (tools.length === 0) return;
  const columns = [
    { title: 'TOOL', paint: out.style.name },
    { title: 'TOKENS', alignRight: true },
    { title: 'DESCRIPTION', shrinks: true, paint: out.style.quiet },
  ];
  const rows = tools.map((tool) => [tool.name, String(tokensOf(tool)), oneLine(firstLine(tool.description))]);
  for (const line of renderTable(out, columns, rows)) out.line(line);
  out.line();
}
