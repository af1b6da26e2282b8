import type { Command } from '../command.ts';
import { renderTable } from '../terminal/table.ts';
import type { Surface } from '../terminal/terminal.ts';

const forms: readonly (readonly [string, string])[] = [
  ['what you want', 'finds a tool for it, asks for its arguments, shows what will run, and runs it'],
  ['TOOL [key=value …]', 'runs a tool; asks for missing arguments'],
  ['call TOOL key=value …', 'the same, written out'],
  ['tools [MODULE]', 'lists the tools'],
  ['search WORDS', 'finds tools by what they do'],
  ['show TOOL', 'shows one tool in full'],
  ['mcp list, mcp add …', 'the MCP servers; all other pegboard commands work too'],
  ['help call', 'shows help for a command'],
  ['setup', 'connects a model, Telegram and Discord: then this prompt is a chat'],
  ['clear', 'clears the screen'],
  ['quit', 'leaves; so does Ctrl-D'],
];

/** `more` are commands of plugins. */
export function showPromptHelp(out: Surface, more: readonly Command[]): void {
  const added = more.map(({ name, usage, summary }) => [`${name} ${usage}`.trim(), summary]);
  const columns = [
    { title: '', paint: out.style.name },
    { title: '', shrinks: true },
  ];
  for (const line of renderTable(out, columns, [...forms, ...added], { indent: 2 })) out.line(line);
  out.line(
    out.style.quiet('  Tab completes names, ↑ brings back earlier lines, Ctrl-C stops a running tool.'),
  );
}
