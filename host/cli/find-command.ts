import { pegboard } from '../core/own-command.ts';
import { PegboardError } from '../core/errors.ts';
import { nearest } from '../core/documents/nearest.ts';
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { beforeEnd, chatHint, globalOptions } from './parse.ts';

export interface FoundCommand {
  readonly command: Command;
  /** Without the words of the command's name. */
  readonly args: readonly string[];
}

/** The command that the arguments begin with, after global options. Throws PEG_USAGE with similar names. */
export function findCommand(given: readonly string[], more: readonly Command[] = []): FoundCommand {
  const all = withCommands(more);
  const named = (name: string): Command | undefined => all.find((command) => command.name === name);
  const args = fromToolForm(given);
  const start = firstWord(args);
  const [first, second] = args.slice(start);
  if (first === undefined || first.startsWith('-')) return { command: named('')!, args };
  const two = second === undefined ? undefined : named(`${first} ${second}`);
  if (two) return { command: two, args: args.toSpliced(start, 2) };
  // A group's name alone means its `list`.
  const isBare = second === undefined || second.startsWith('-');
  const one = named(first) ?? (isBare ? named(`${first} list`) : undefined);
  if (one) return { command: one, args: args.toSpliced(start, 1) };
  throw unknownCommand(first, second, all);
}

/** Pegboard's own commands and `more`, each where the help lists it. */
export function withCommands(more: readonly Command[]): readonly Command[] {
  const all = [...commands];
  for (const command of more) {
    const at = all.findIndex(({ name }) => name === command.before);
    const last = all.findLastIndex(({ group }) => group === command.group);
    all.splice(at >= 0 ? at : last >= 0 ? last + 1 : all.length, 0, command);
  }
  return all;
}

/** The commands whose first word is this: "mcp" → mcp add, mcp list … */
export function commandsIn(group: string, all: readonly Command[] = commands): readonly Command[] {
  return all.filter(({ name }) => name.startsWith(`${group} `));
}

/** `pegboard --tool NAME --args JSON` is `pegboard call NAME --args JSON`. */
function fromToolForm(args: readonly string[]): readonly string[] {
  if (!args[0]?.startsWith('-')) return args;
  const at = beforeEnd(args).findIndex((arg) => arg === '--tool' || arg.startsWith('--tool='));
  if (at < 0) return args;
  const inline = args[at] === '--tool' ? undefined : args[at]!.slice('--tool='.length);
  const name = inline ?? args[at + 1];
  const others = args.toSpliced(at, inline === undefined ? 2 : 1);
  return name === undefined ? ['call', ...others] : ['call', name, ...others];
}

/** The index of the first argument that is neither a global option nor the value of one. */
function firstWord(args: readonly string[]): number {
  let at = 0;
  while (at < args.length) {
    const option = globalOptions.find(
      ({ name, short }) => args[at] === `--${name}` || args[at] === `-${short}`,
    );
    if (option) at += option.value === undefined ? 1 : 2;
    else if (globalOptions.some(({ name }) => args[at]!.startsWith(`--${name}=`))) at++;
    else break;
  }
  return at;
}

function unknownCommand(first: string, second: string | undefined, all: readonly Command[]): PegboardError {
  const inGroup = commandsIn(first, all);
  if (inGroup.length > 0) {
    const words = inGroup.map(({ name }) => name.slice(first.length + 1));
    const [near] = second === undefined ? [] : nearest(second, words);
    const said =
      second === undefined
        ? `"${pegboard} ${first}" needs one of`
        : `There is no "${pegboard} ${first} ${second}". "${pegboard} ${first}" has`;
    return new PegboardError(
      'PEG_USAGE',
      near === undefined
        ? `${said} ${words.join(', ')}.`
        : `There is no "${pegboard} ${first} ${second}". Did you mean "${pegboard} ${first} ${near}"?`,
    );
  }
  if (/\s/.test(first))
    return new PegboardError('PEG_USAGE', `There is no command "${first}". ${chatHint(first)}`);
  const visible = all.filter(({ hidden, name }) => !hidden && name !== '');
  const [near] = nearest(first, new Set(visible.flatMap(({ name }) => [name, name.split(' ')[0]!])));
  return new PegboardError(
    'PEG_USAGE',
    `There is no command "${first}".${near === undefined ? '' : ` Did you mean "${pegboard} ${near}"?`} "${pegboard} --help" lists all commands.`,
  );
}
