import { pegboard } from '../core/own-command.ts';
import { version } from '../version.ts';
import { groups, type Command } from './command.ts';
import { withCommands } from './find-command.ts';
import type { Option } from './options.ts';
import { globalOptions, titleOf } from './parse.ts';
import type { Surface } from './terminal/terminal.ts';
import { wrap } from './terminal/width.ts';

/** Wider lines of help are hard to read. */
const maxWidth = 100;

/** All commands by group. */
export function showOverview(out: Surface, more: readonly Command[] = []): void {
  const { style } = out;
  out.line(`${style.title('Pegboard')} ${version}`);
  out.line(
    'Turns Markdown files, MCP servers and plugins into tools that people, scripts and agents can run.\n',
  );
  out.line(`${style.title('Usage')}  ${pegboard} [COMMAND] [OPTIONS]\n`);
  for (const group of groups) {
    const listed = withCommands(more).filter((command) => command.group === group && !command.hidden);
    if (listed.length === 0) continue;
    out.line(style.title(group));
    showPairs(
      out,
      listed.map((command) => [command.name || '(no command)', command.summary]),
      18,
    );
    out.line();
  }
  showOptions(out, 'Everywhere', globalOptions);
  out.line(`\nRun "${pegboard} COMMAND --help" for details and examples.`);
}

/** One command, or all of a group ("mcp"). */
export function showCommandHelp(out: Surface, command: Command, ofPlugins: readonly Command[] = []): void {
  const { style } = out;
  out.line(`${style.title('Usage')}  ${[titleOf(command), command.usage].join(' ').trim()}\n`);
  for (const line of wrap(`${command.summary}.`, columnsOf(out))) out.line(line);
  if (command.details !== undefined)
    for (const line of wrap(`\n${command.details}`, columnsOf(out))) out.line(line);
  out.line();
  if (command.options?.length) {
    showOptions(out, 'Options', command.options);
    out.line();
  }
  showOptions(out, 'Everywhere', globalOptions);
  out.line(`\n${style.title('Examples')}`);
  for (const example of command.examples) out.line(`  ${example}`);
  const more = withCommands(ofPlugins).filter(
    ({ name }) => command.name !== '' && name.startsWith(`${command.name} `),
  );
  if (more.length === 0) return;
  out.line(`\n${style.title('See also')}`);
  showPairs(
    out,
    more.map(({ name, usage, summary }) => [[name, usage].join(' ').trim(), summary]),
    24,
  );
}

export function showGroupHelp(out: Surface, name: string, members: readonly Command[]): void {
  out.line(`${out.style.title('Usage')}  ${pegboard} ${name} COMMAND\n`);
  showPairs(
    out,
    members.map((command) => [[command.name, command.usage].join(' ').trim(), command.summary]),
    24,
  );
}

function showOptions(out: Surface, title: string, options: readonly Option[]): void {
  out.line(out.style.title(title));
  const pairs = options.map(({ name, short, value, summary }): [string, string] => [
    `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
    summary,
  ]);
  showPairs(out, pairs, 18);
}

function showPairs(out: Surface, pairs: readonly (readonly [string, string])[], narrowest: number): void {
  const left = Math.max(narrowest, ...pairs.map(([name]) => name.length));
  for (const [name, text] of pairs) {
    const [first = '', ...others] = wrap(text, columnsOf(out) - left - 4);
    out.line(`  ${out.style.name(name)}${' '.repeat(left - name.length)}  ${first}`);
    for (const line of others) out.line(`${' '.repeat(left + 4)}${line}`);
  }
}

function columnsOf(out: Surface): number {
  return Math.min(out.width, maxWidth);
}
