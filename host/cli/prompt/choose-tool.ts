import type { RegisteredTool } from '../../api/tool.ts';
import { exitCodeOf } from '../../core/errors.ts';
import type { Host } from '../../host.ts';
import { shownOf } from '../../tools/shown-results.ts';
import { isVisible } from '../../tools/access.ts';
import type { Context } from '../command.ts';
import { scopeOf } from '../scope.ts';
import { choose } from '../terminal/choose.ts';
import { oneLine } from '../terminal/safe.ts';
import { renderTable } from '../terminal/table.ts';
import { truncate } from '../terminal/width.ts';
import { requiredOf } from '../values.ts';

const maxOffered = 6;

/** It changes nothing, and nothing leaves this machine. What an MCP server says of itself doesn't count. */
export const isHarmless = ({ annotations = {}, source }: RegisteredTool): boolean =>
  annotations.readOnlyHint === true && annotations.openWorldHint !== true && source.kind !== 'mcp';

/**
 * The tool for what the person wants, chosen from what search finds. Where nobody can choose, prints the candidates and
 * returns an exit code. Undefined when none is chosen. `isAskedAbout`: the tool runs only after a confirmation, so Enter
 * alone may choose the best.
 */
export async function chooseTool(
  request: string,
  host: Host,
  context: Context,
  { isAskedAbout }: { readonly isAskedAbout: boolean },
): Promise<RegisteredTool | number | undefined> {
  const { terminal, signal } = context;
  const scope = scopeOf(host, context);
  const found = await host.search(request, maxOffered, (tool) => isVisible(tool, scope));
  const { isSure, shown } = shownOf(found);
  const isOneWord = !/\s/.test(request);
  const all = shown.map(({ tool }) => tool);
  // A word is too little to guess a tool by that changes something.
  const tools = isOneWord ? all.filter(isHarmless) : all;
  if (tools.length < all.length)
    terminal.err.line(
      `"${oneLine(request)}" alone chooses no tool that changes something. Say more of what you want, or type the name of a tool: "search ${oneLine(request)}" lists some.`,
    );
  if (tools.length === 0 && all.length > 0) return exitCodeOf('PEG_TOOL_NOT_FOUND');
  if (!isSure)
    terminal.err.line(`No tool does that. "tools" lists the tools, "help" shows what you can type.`);
  if (tools.length === 0) return exitCodeOf('PEG_TOOL_NOT_FOUND');
  if (!terminal.interactive) {
    const asked = isSure ? 'There is nobody to choose. Call one of these:' : 'The nearest ones:';
    listCandidates(asked, tools, context);
    return isSure ? 0 : exitCodeOf('PEG_TOOL_NOT_FOUND');
  }
  const room = Math.max(10, terminal.err.width - Math.max(...tools.map(({ id }) => id.length)) - 12);
  const choices = tools.map((tool) => ({
    value: tool,
    label: tool.id,
    hint: truncate(oneLine(tool.description), room),
  }));
  const none = { value: undefined, label: 'None of these' };
  const start = isAskedAbout && isSure ? 0 : choices.length;
  const picked = await choose(
    isSure ? 'Which tool?' : 'One of these?',
    [...choices, none],
    { terminal, signal },
    start,
  );
  return picked?.value;
}

function listCandidates(asked: string, tools: readonly RegisteredTool[], { terminal }: Context): void {
  const { out, err } = terminal;
  err.line(asked);
  const rows = tools.map((tool) => {
    const wanted = requiredOf(tool.parameters).map((name) => ` ${name}=…`);
    return [`call ${tool.id}${wanted.join('')}`, oneLine(tool.description)];
  });
  const columns = [
    { title: '', paint: out.style.name },
    { title: '', shrinks: true },
  ];
  for (const line of renderTable(out, columns, rows)) out.line(line);
}
